// Modifiers as data: a tree of names, made once from each modification in the text. Dotted names
// are nested (`x.y = 1` is `x(y = 1)`), and each element is modified once per list (7.2.4).
//
// A modifier is never merged with another: an element has a list of them, strongest first
// (ModList), and asks the list. See instance.h.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "modelica/classes/class_tree.h"

namespace hydae::modelica {

struct ModNode {
  Symbol name;
  SourceRange range;
  bool is_each = false;
  bool is_final = false;
  bool is_break = false;    // `= break`: no value
  bool is_element = false;  // a redeclaration among the elements of a class
  const syntax::Expr* value = nullptr;
  const Declaration* redeclaration = nullptr;  // redeclare element
  std::vector<const ModNode*> subs;
  std::vector<Symbol> removed;  // `break name` of an extends clause
  std::vector<const syntax::BreakConnectArgument*> removed_connects;

  const ModNode* find(Symbol symbol) const {
    for (const ModNode* sub : subs)
      if (sub->name == symbol) return sub;
    return nullptr;
  }
};

class Modifiers {
 public:
  explicit Modifiers(Workspace& workspace) : workspace_(workspace) {}

  // The tree of a modification written in class `where`; null for null.
  const ModNode* of(const syntax::Modification* modification, ClassDef* where);
  // Redeclarations that are elements of `cls`, as the modifier they are for its base classes.
  const ModNode* of_redeclared_elements(ClassDef& cls);

 private:
  ModNode* make(Symbol name, SourceRange range);
  void add_argument(ModNode& node, const syntax::Argument& argument, ClassDef* where);
  void add_modify(ModNode& node, const syntax::ModifyArgument& argument, ClassDef* where);
  void add_redeclare(ModNode& node, const syntax::RedeclareArgument& argument, ClassDef* where);
  void fill(ModNode& node, const syntax::Modification& modification, ClassDef* where);
  ModNode* sub(ModNode& node, Symbol name, SourceRange range);
  void report_twice(const ModNode& first, SourceRange second);

  Workspace& workspace_;
  std::deque<ModNode> nodes_;
  std::deque<Declaration> declarations_;
  std::unordered_map<const syntax::Modification*, const ModNode*> cache_;
  std::unordered_map<const ClassDef*, const ModNode*> redeclared_;
};

// Annotations are modifications that nobody applies: the argument called `name`, or null.
const syntax::Modification* find_annotation(const syntax::Modification* annotation, Symbol name);
// The value of an annotation that is a Boolean literal.
bool annotation_is_true(const syntax::Modification* annotation, Symbol name);

}  // namespace hydae::modelica
