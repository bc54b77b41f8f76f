// Values of Modelica expressions: arrays of scalar nodes of the expression graph, row by row.
// Whether a value is a number, a formula of parameters or a formula of variables is the node's
// business: one evaluator serves constants, parameter expressions and equations. Strings are known
// texts. A record keeps its fields as arrays: field `x` of a record array `r[3]` has its own sizes
// behind the 3.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <hydae/expr.h>
#include <hydae/ids.h>

#include "modelica/expressions/checked.h"
#include "syntax/symbol.h"

namespace hydae::modelica {

using syntax::Symbol;

enum class BaseType : std::uint8_t {
  kReal,
  kInteger,
  kBoolean,
  kString,
  kEnumeration,
  kRecord,          // any class with components
  kExternalObject,  // made by a constructor: see ExternalObject
  kFunction,        // an argument that is a function
  kTuple,           // results of a function with several outputs
};

const char* base_type_name(BaseType type);

// Two enumerations are the same type if their literals are.
struct EnumType {
  std::string name;
  std::vector<std::string> literals;
  std::vector<Symbol> symbols;

  bool operator==(const EnumType& other) const { return literals == other.literals; }
};

struct Element;
struct Value;

struct Field {
  Symbol name;
  std::shared_ptr<const Value> value;
};

// A call of an ExternalObject constructor: what is needed to do natively what the object does.
struct ExternalObject {
  std::string class_name;
  CheckedList<Value> arguments;
  // For messages, as soon as they are known: the component that holds it, and where the outermost
  // one is declared of which that is a part.
  mutable std::string component = {};
  mutable SourceRange declared = {};
  mutable bool is_refused = false;  // said once, however many functions read it
};

// A function as an argument, with the arguments that are already given by name.
struct FunctionValue {
  Element* function = nullptr;
  std::vector<Field> given;
};

using Sizes = CheckedList<int>;

std::int64_t num_elements(const Sizes& sizes);

struct Value {
  BaseType type = BaseType::kReal;
  const EnumType* enumeration = nullptr;  // kEnumeration
  Element* record = nullptr;              // kRecord: its class, if known
  Sizes sizes;                            // empty for a scalar
  CheckedList<NodeId> cells;              // Real, Integer, Boolean, enumeration
  CheckedList<std::string> strings;       // String
  CheckedList<Field> fields;              // kRecord; kTuple: unnamed
  std::shared_ptr<const ExternalObject> object;
  std::shared_ptr<const FunctionValue> function;

  bool is_scalar() const { return sizes.empty(); }
  int rank() const { return static_cast<int>(sizes.size()); }
  bool is_numeric() const { return type == BaseType::kReal || type == BaseType::kInteger; }
  bool has_cells() const {
    return is_numeric() || type == BaseType::kBoolean || type == BaseType::kEnumeration;
  }
  // The one number or text that this is; throws WrongValue if it is something else.
  NodeId scalar() const;
  const std::string& text() const;
  // The same as text(), also if it shows numbers that are not known yet (hydae/message.h).
  const std::string& message() const;
  const Value* field(Symbol name) const;

  static Value scalar_of(BaseType type, NodeId cell);
  static Value string(std::string text);
  static Value array_of(BaseType type, Sizes sizes, std::vector<NodeId> cells);
};

// "Real[3, 2]", "Complex", for messages.
std::string type_text(const Value& value);
std::string sizes_text(const Sizes& sizes);  // "[3, 2]", "" for a scalar

// Whether both can be elements of one array: the same type, or numbers.
bool has_same_type(const Value& a, const Value& b);

// The part of `value` behind the first `prefix.size()` dimensions, at row-major position `linear`
// of those dimensions.
Value element_at(const Value& value, std::size_t num_prefix, std::int64_t linear);

// One choice per leading dimension: a single index (the dimension disappears) or a list of them.
struct Choice {
  std::vector<int> indices;  // zero-based
  bool is_scalar = false;
};
Value choose(const Value& value, const std::vector<Choice>& choices);

// Values of equal type and sizes as the elements of an array: one more leading dimension.
Value stack(const std::vector<Value>& items, const Value& empty);

// Replaces the leading dimension by several whose product it is.
void reshape_front(Value& value, const Sizes& front);

// Writes `part` into the places of `whole` that `choose(whole, choices)` reads.
void assign(Value& whole, const std::vector<Choice>& choices, const Value& part);

}  // namespace hydae::modelica
