// The classes of a workspace as written: one ClassDef per class definition, in the tree of
// enclosing classes, and where their files are. Files are read when a class in them is first
// needed: a package folder is listed (its members are then known by name) long before its members
// are parsed.
//
// Nothing here knows about inheritance or modification; see instance.h.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/source.h>

#include "modelica/classes/syntax_files.h"

namespace hydae::modelica {

using syntax::Symbol;

struct ClassDef;

// One declared thing of a class, in the order of the text: a component (each name of a component
// clause on its own), a class, or an extends clause.
struct Declaration {
  const syntax::Element* element = nullptr;                 // null: a member file of a folder
  const syntax::ComponentElement* clause = nullptr;         // components
  const syntax::ComponentDeclaration* component = nullptr;  // components
  const syntax::ExtendsElement* extends = nullptr;          // extends clauses
  ClassDef* cls = nullptr;                                  // classes
  bool is_protected = false;

  Symbol name() const;
  bool is_component() const { return component != nullptr; }
  bool is_class() const { return cls != nullptr; }
  SourceRange range() const;
};

struct ClassDef {
  Symbol name;
  ClassDef* parent = nullptr;                           // null for a class at the top
  const syntax::ClassDefinition* definition = nullptr;  // null: its file has not been read
  const syntax::Element* element =
      nullptr;                   // that declares it; null at the top and for member files
  std::filesystem::path file;    // of a member that has not been read
  std::filesystem::path folder;  // of a package in a folder
  bool is_broken = false;        // its file could not be read: reported
  bool is_listed = false;        // declarations and table are filled

  std::deque<Declaration> declarations;           // stable addresses
  std::unordered_map<Symbol, std::size_t> table;  // name -> declaration
  std::vector<const syntax::ImportElement*> imports;

  const Declaration* find(Symbol symbol) const {
    const auto found = table.find(symbol);
    return found == table.end() ? nullptr : &declarations[found->second];
  }
  const syntax::LongClass* long_class() const {
    return syntax::find<syntax::LongClass>(definition);
  }
  bool is(syntax::ClassKind kind) const { return definition && definition->class_kind == kind; }
};

class Workspace {
 public:
  explicit Workspace(std::vector<std::filesystem::path> library_path = {});
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  syntax::SymbolTable& symbols() { return files_.symbols(); }
  std::string text(Symbol symbol) const { return std::string(files_.symbols().text(symbol)); }
  Symbol intern(std::string_view name) { return symbols().intern(name); }
  const std::shared_ptr<SourceSet>& sources() const { return files_.sources(); }
  Diagnostics& diagnostics() { return files_.diagnostics(); }

  // Classes of a text or file, made known at the top (or below their `within` class). Those that
  // were read are returned; what is wrong is in diagnostics().
  std::vector<ClassDef*> add_text(const std::string& name, std::string text);
  std::vector<ClassDef*> add_file(const std::filesystem::path& file);

  // A class at the top: added before, else found on the library path; null if there is none.
  ClassDef* find_top(Symbol name);
  // Reads the file of the class if that has not been done and fills its declarations. False if
  // the class could not be read (reported once).
  bool require(ClassDef& cls);
  // The class of a redeclaration in a modifier or of an element; made once per definition.
  ClassDef& class_of(const syntax::ClassDefinition& definition, const syntax::Element* element,
                     ClassDef* parent);
  // Names of all classes at the top that are known or on the path, for suggestions.
  std::vector<std::string> top_names();

  std::string qualified_name(const ClassDef& cls) const;
  double parse_seconds() const { return files_.parse_seconds(); }
  // Folders of the files that were asked for and of the libraries: what belongs to the model.
  std::vector<std::filesystem::path> own_folders() const;

 private:
  ClassDef* make_class(Symbol name, ClassDef* parent);
  ClassDef* find_on_path(Symbol name);
  ClassDef* make_folder_package(const std::filesystem::path& folder, ClassDef* parent, Symbol name);
  bool read_member(ClassDef& cls);
  void list(ClassDef& cls);
  void list_element(ClassDef& cls, const syntax::Element& element);
  void list_folder(ClassDef& cls);
  void declare(ClassDef& cls, Declaration declaration);
  ClassDef* place(const syntax::SyntaxFile& file, const syntax::ClassDefinition& definition);

  std::vector<std::filesystem::path> library_path_;
  std::vector<std::filesystem::path> folders_;  // of the files that were added
  SyntaxFiles files_;
  std::deque<ClassDef> classes_;
  std::unordered_map<const syntax::ClassDefinition*, ClassDef*> class_of_definition_;
  std::unordered_map<Symbol, ClassDef*> top_;
};

// The folder of a package by its dotted name; empty if it has none.
std::filesystem::path folder_of(Workspace& workspace, const std::string& package);

}  // namespace hydae::modelica
