// Tokens -> modifications and what is declared with them (A.2.4, A.2.5): components, short classes,
// redeclarations, annotations. Modifications nest in all of these, so all are tasks.
#pragma once

#include "syntax/cursor.h"
#include "syntax/expression_parser.h"
#include "syntax/task.h"
#include "syntax/tree.h"

namespace hydae::syntax {

// The keywords in front of an element or argument.
struct ElementPrefix {
  bool is_each = false;
  bool is_redeclare = false;
  bool is_final = false;
  bool is_inner = false;
  bool is_outer = false;
  bool is_replaceable = false;
  Connection connection = Connection::kNone;
  Variability variability = Variability::kNone;
  Causality causality = Causality::kNone;
};

struct ClassPrefix {
  std::uint32_t begin = 0;
  bool is_encapsulated = false;
  bool is_partial = false;
  Purity purity = Purity::kNone;
  ClassKind kind = ClassKind::kClass;
};

// Where a modification in parentheses stands, which decides what it may hold.
enum class ModificationPlace {
  kElement,  // of a component or a modified element: `= value` may follow
  kClass,    // of a class, or an annotation
  kExtends,  // of an extends clause: `break` may stand inside
};

class DeclarationParser {
 public:
  DeclarationParser(Cursor& cursor, ExpressionParser& expressions)
      : cursor_(cursor), expressions_(expressions) {}

  List<const StringExpr*> description();
  // At `annotation`.
  Task<const Modification*> annotation();
  // At `(`.
  Task<const Modification*> modification(ModificationPlace place);
  // `= value`, which is the next token.
  const Modification* value_modification();
  bool at_value() const;

  ElementPrefix element_prefix();
  bool at_class_prefix() const;
  // At a keyword with which only an element can begin.
  bool at_element_keyword() const;
  ClassPrefix class_prefix();
  // Reports what can stand in front of a component, but not of the class that comes now.
  void check_before_class(const ElementPrefix& prefix, std::uint32_t begin);

  // From the type on, up to the end of the declarations: one in a modification, else a list.
  Task<ComponentElement*> components(ElementPrefix prefix, std::uint32_t begin, bool is_argument);
  // From `=` on, without the name.
  Task<ClassDefinition*> short_class(ClassPrefix prefix, Ident name);
  // `constrainedby ...`, or null if it is not there.
  Task<const Constraint*> constraint(bool has_comment);

 private:
  Task<const Argument*> argument(ModificationPlace place);
  Task<const Argument*> redeclaration(ElementPrefix prefix, std::uint32_t begin);
  Task<Element*> redeclared_element(ElementPrefix prefix, std::uint32_t begin);
  Task<const Argument*> modify(ElementPrefix prefix, std::uint32_t begin);
  const Argument* break_argument();
  Task<ComponentDeclaration> component(bool is_argument);
  Task<EnumerationClass*> enumeration(std::uint32_t begin);
  DerivativeClass* derivative(std::uint32_t begin);
  void late_prefix(ElementPrefix& prefix);

  Cursor& cursor_;
  ExpressionParser& expressions_;
};

// The flags of `prefix` on `element`.
void set_prefix(Element& element, const ElementPrefix& prefix);

}  // namespace hydae::syntax
