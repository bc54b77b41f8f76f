#include "modelica/classes/class_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>

#include "modelica/classes/class_rules.h"

namespace hydae::modelica {

namespace fs = std::filesystem;

Symbol Declaration::name() const {
  if (component != nullptr) return component->name.symbol;
  return cls != nullptr ? cls->name : Symbol();
}

SourceRange Declaration::range() const {
  if (component != nullptr) return component->range;
  if (cls != nullptr && cls->definition != nullptr) return cls->definition->name.range;
  return element != nullptr ? element->range : SourceRange();
}

Workspace::Workspace(std::vector<fs::path> library_path) : library_path_(std::move(library_path)) {}

ClassDef* Workspace::make_class(Symbol name, ClassDef* parent) {
  ClassDef& cls = classes_.emplace_back();
  cls.name = name;
  cls.parent = parent;
  return &cls;
}

ClassDef& Workspace::class_of(const syntax::ClassDefinition& definition,
                              const syntax::Element* element, ClassDef* parent) {
  ClassDef*& cls = class_of_definition_[&definition];
  if (cls == nullptr) {
    cls = make_class(definition.name.symbol, parent);
    cls->definition = &definition;
    cls->element = element;
  }
  return *cls;
}

namespace {

// A file may replace a class of a library, but not one of its own.
void refuse_second(Workspace& workspace, const ClassDef* first, const ClassDef& second) {
  if (first == nullptr || first->definition == nullptr) return;
  const SourceRange before = first->definition->name.range;
  if (before.source != second.definition->name.range.source) return;
  workspace.diagnostics()
      .error("duplicate-element",
             fmt::format("`{}` is declared twice in this file", workspace.text(second.name)),
             second.definition->name.range)
      .notes.push_back({"first declared here", before});
}

void check_member(Workspace& workspace, const ClassDef& cls, const syntax::SyntaxFile& file) {
  const syntax::ClassDefinition& definition = *file.classes.front();
  if (file.classes.size() > 1)
    workspace.diagnostics().error(
        "several-classes-in-file",
        fmt::format("`{}` holds {} classes, a file of a library must hold one",
                    cls.file.filename().string(), file.classes.size()),
        file.classes[1]->name.range);
  std::string within;
  for (const syntax::Ident& part : file.within.parts)
    within += (within.empty() ? "" : ".") + workspace.text(part.symbol);
  const std::string expected = cls.parent == nullptr ? "" : workspace.qualified_name(*cls.parent);
  if (within != expected)
    workspace.diagnostics().warning(
        "wrong-within", fmt::format("the file says `within {}` but lies in `{}`", within, expected),
        file.has_within ? file.within.range : definition.name.range);
}

}  // namespace

// ---- files ----

// The class that `definition` of `file` becomes: at the top, or a member of its `within` class.
ClassDef* Workspace::place(const syntax::SyntaxFile& file,
                           const syntax::ClassDefinition& definition) {
  if (!definition.name.is_valid()) return nullptr;  // the parser has said so
  ClassDef* parent = nullptr;
  for (const syntax::Ident& part : file.within.parts) {
    if (!part.is_valid()) return nullptr;
    ClassDef* next = nullptr;
    if (parent == nullptr) {
      next = find_top(part.symbol);
    } else if (require(*parent)) {
      const Declaration* member = parent->find(part.symbol);
      if (member != nullptr) next = member->cls;
    }
    if (next == nullptr) {
      diagnostics().error("within-not-found",
                          fmt::format("package `{}` is not found", text(part.symbol)), part.range);
      return nullptr;
    }
    parent = next;
  }
  ClassDef& cls = class_of(definition, nullptr, parent);
  if (parent == nullptr) {
    ClassDef*& top = top_[cls.name];
    refuse_second(*this, top, cls);
    top = &cls;
  } else if (require(*parent)) {
    Declaration declaration;
    declaration.cls = &cls;
    const auto found = parent->table.find(cls.name);
    if (found != parent->table.end()) {
      refuse_second(*this, parent->declarations[found->second].cls, cls);
      parent->declarations[found->second] = declaration;
    } else {
      declare(*parent, declaration);
    }
  }
  return &cls;
}

std::vector<ClassDef*> Workspace::add_text(const std::string& name, std::string text) {
  const syntax::SyntaxFile& file = files_.parse(name, std::move(text));
  std::vector<ClassDef*> added;
  for (const syntax::ClassDefinition* definition : file.classes)
    if (ClassDef* cls = place(file, *definition)) added.push_back(cls);
  return added;
}

std::vector<ClassDef*> Workspace::add_file(const fs::path& path) {
  // A file inside a package folder is read as part of its package.
  std::error_code error;
  fs::path root = fs::absolute(path, error).lexically_normal().parent_path();
  folders_.push_back(root);
  std::vector<std::string> within;
  while (fs::exists(root / "package.mo", error)) {
    within.push_back(root.filename().string());
    root = root.parent_path();
  }
  if (within.empty()) {
    const syntax::SyntaxFile* file = files_.read(path);
    std::vector<ClassDef*> added;
    if (file == nullptr) return added;
    for (const syntax::ClassDefinition* definition : file->classes)
      if (ClassDef* cls = place(*file, *definition)) added.push_back(cls);
    return added;
  }
  library_path_.insert(library_path_.begin(), root);
  ClassDef* cls = find_top(intern(within.back()));
  within.pop_back();
  if (path.filename() != "package.mo") within.insert(within.begin(), path.stem().string());
  for (auto part = within.rbegin(); cls != nullptr && part != within.rend(); ++part) {
    const Declaration* member = require(*cls) ? cls->find(intern(*part)) : nullptr;
    cls = member != nullptr ? member->cls : nullptr;
  }
  if (cls == nullptr || !require(*cls)) return {};
  return {cls};
}

// ---- the library path ----

namespace {

// `A` itself or a folder such as `A 4.1.0`, which holds that version (18.8.3).
std::vector<fs::path> library_candidates(const fs::path& entry, const std::string& name) {
  std::vector<fs::path> out;
  std::error_code ignored;
  if (fs::exists(entry / name / "package.mo", ignored)) out.push_back(entry / name);
  if (fs::exists(entry / (name + ".mo"), ignored)) out.push_back(entry / (name + ".mo"));
  if (!out.empty()) return out;
  for (const auto& item : fs::directory_iterator(entry, ignored))
    if (item.path().filename().string().starts_with(name + " ")) {
      if (fs::exists(item.path() / "package.mo", ignored))
        out.push_back(item.path());
      else if (item.path().extension() == ".mo")
        out.push_back(item.path());
    }
  std::sort(out.rbegin(), out.rend());  // the newest version
  return out;
}

}  // namespace

ClassDef* Workspace::find_on_path(Symbol name) {
  const std::string spelled = text(name);
  if (spelled.empty() || spelled.front() == '\'' || spelled.find('/') != std::string::npos)
    return nullptr;
  for (const fs::path& entry : library_path_) {
    const std::vector<fs::path> candidates = library_candidates(entry, spelled);
    if (candidates.empty()) continue;
    const fs::path& found = candidates.front();
    std::error_code error;
    if (fs::is_directory(found, error)) return make_folder_package(found, nullptr, name);
    ClassDef* cls = make_class(name, nullptr);
    cls->file = found;
    return cls;
  }
  return nullptr;
}

ClassDef* Workspace::find_top(Symbol name) {
  const auto found = top_.find(name);
  if (found != top_.end()) return found->second;
  ClassDef* cls = find_on_path(name);
  top_[name] = cls;
  return cls;
}

std::vector<std::string> Workspace::top_names() {
  std::set<std::string> names;
  for (const auto& [name, cls] : top_)
    if (cls != nullptr) names.insert(text(name));
  std::error_code ignored;
  for (const fs::path& entry : library_path_)
    for (const auto& item : fs::directory_iterator(entry, ignored))
      if (item.path().extension() == ".mo" || fs::exists(item.path() / "package.mo", ignored))
        names.insert(item.path().stem().string());
  return {names.begin(), names.end()};
}

ClassDef* Workspace::make_folder_package(const fs::path& folder, ClassDef* parent, Symbol name) {
  ClassDef* cls = make_class(name, parent);
  cls->file = folder / "package.mo";
  cls->folder = folder;
  return cls;
}

// ---- members ----

bool Workspace::read_member(ClassDef& cls) {
  std::error_code error;
  if (!fs::is_regular_file(cls.file, error)) {  // a pipe or a device might never end
    diagnostics().error("file-not-readable", fmt::format("cannot read `{}`", cls.file.string()));
    return false;
  }
  const syntax::SyntaxFile* file = files_.read(cls.file);
  if (file == nullptr) return false;
  if (file->classes.empty()) {
    if (!file->diagnostics.has_errors())
      diagnostics().error("no-class-in-file",
                          fmt::format("`{}` holds no class", cls.file.string()));
    return false;
  }
  const syntax::ClassDefinition* definition = file->classes.front();
  if (definition->name.symbol != cls.name) {
    diagnostics().error("wrong-class-in-file",
                        fmt::format("the file must hold class `{}`, not `{}`", text(cls.name),
                                    text(definition->name.symbol)),
                        definition->name.range);
    return false;
  }
  check_member(*this, cls, *file);
  cls.definition = definition;
  class_of_definition_[definition] = &cls;
  return true;
}

bool Workspace::require(ClassDef& cls) {
  if (cls.is_listed) return true;
  if (cls.is_broken) return false;
  if (cls.definition == nullptr && !read_member(cls)) {
    cls.is_broken = true;
    return false;
  }
  cls.is_listed = true;
  list(cls);
  return true;
}

void Workspace::declare(ClassDef& cls, Declaration declaration) {
  const Symbol name = declaration.name();
  if (name.is_valid()) {
    const auto [position, is_new] = cls.table.emplace(name, cls.declarations.size());
    if (!is_new) {
      auto& diagnostic = diagnostics().error(
          "duplicate-element",
          fmt::format("`{}` is declared twice in `{}`", text(name), text(cls.name)),
          declaration.range());
      diagnostic.notes.push_back(
          {"first declared here", cls.declarations[position->second].range()});
      return;
    }
  }
  cls.declarations.push_back(declaration);
}

void Workspace::list_element(ClassDef& cls, const syntax::Element& element) {
  Declaration declaration;
  declaration.element = &element;
  declaration.is_protected = element.visibility == syntax::Visibility::kProtected;
  switch (element.kind) {
    case syntax::ElementKind::kImport:
      cls.imports.push_back(&syntax::as<syntax::ImportElement>(element));
      break;
    case syntax::ElementKind::kExtends:
      declaration.extends = &syntax::as<syntax::ExtendsElement>(element);
      declare(cls, declaration);
      break;
    case syntax::ElementKind::kClass: {
      const auto& definition = *syntax::as<syntax::ClassElement>(element).definition;
      declaration.cls = &class_of(definition, &element, &cls);
      declare(cls, declaration);
      break;
    }
    case syntax::ElementKind::kComponent:
      declaration.clause = &syntax::as<syntax::ComponentElement>(element);
      for (const syntax::ComponentDeclaration& component : declaration.clause->declarations) {
        declaration.component = &component;
        declare(cls, declaration);
      }
      break;
  }
}

void Workspace::list(ClassDef& cls) {
  if (const syntax::LongClass* definition = cls.long_class())
    for (const syntax::Element* element : definition->elements) list_element(cls, *element);
  if (!cls.folder.empty()) list_folder(cls);
  check_class_rules(*this, cls, diagnostics());
}

void Workspace::list_folder(ClassDef& cls) {
  std::map<std::string, fs::path> members;  // sorted: the order must not depend on the disk
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(cls.folder, ignored)) {
    const fs::path& path = item.path();
    if (fs::exists(path / "package.mo", ignored))
      members[path.filename().string()] = path;
    else if (path.extension() == ".mo" && path.filename() != "package.mo")
      members.try_emplace(path.stem().string(), path);
  }
  for (const auto& [member, path] : members) {
    const Symbol name = intern(member);
    if (cls.table.contains(name)) continue;
    Declaration declaration;
    if (path.extension() == ".mo" && !fs::is_directory(path, ignored)) {
      declaration.cls = make_class(name, &cls);
      declaration.cls->file = path;
    } else {
      declaration.cls = make_folder_package(path, &cls, name);
    }
    declare(cls, declaration);
  }
}

std::vector<fs::path> Workspace::own_folders() const {
  std::vector<fs::path> out = folders_;
  out.insert(out.end(), library_path_.begin(), library_path_.end());
  return out;
}

std::string Workspace::qualified_name(const ClassDef& cls) const {
  std::vector<const ClassDef*> path;
  for (const ClassDef* c = &cls; c != nullptr; c = c->parent) path.push_back(c);
  std::string out;
  for (auto c = path.rbegin(); c != path.rend(); ++c)
    out += (out.empty() ? "" : ".") + text((*c)->name);
  return out;
}

fs::path folder_of(Workspace& workspace, const std::string& package) {
  const ClassDef* found = nullptr;
  std::size_t begin = 0;
  while (begin <= package.size()) {
    const std::size_t end = std::min(package.find('.', begin), package.size());
    const Symbol name = workspace.intern(package.substr(begin, end - begin));
    if (begin == 0) {
      found = workspace.find_top(name);
    } else {
      const Declaration* member = found->find(name);
      found = member != nullptr ? member->cls : nullptr;
    }
    if (found == nullptr || !workspace.require(const_cast<ClassDef&>(*found))) return {};
    begin = end + 1;
  }
  // A class in one file has the resources of the package around it.
  while (found != nullptr && found->folder.empty() && found->file.empty()) found = found->parent;
  if (found == nullptr) return {};
  return found->folder.empty() ? found->file.parent_path() : found->folder;
}

}  // namespace hydae::modelica
