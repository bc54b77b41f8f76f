// Expressions -> values. References are looked up in the instance where the text stands; what comes
// out are nodes of the graph, so the same evaluation gives a number for `2*n` of constants and a
// formula for `2*x` of variables.
//
// Any error is reported and thrown as Failure: the equation or binding that contains the expression
// is lost, nothing else.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

// A loop variable; the innermost loop comes first.
struct LoopVariable {
  Symbol name;
  Value value;
  const LoopVariable* outer = nullptr;
};

// Variables that statements assign: those of a function being executed, or, in an algorithm
// section, the values that components of the model have so far. Values are shared until they are
// changed, so that a frame is cheap to copy.
struct Frame {
  Instance* function = nullptr;               // null in an algorithm section
  Frame* outer = nullptr;                     // of the function in which a record is made
  std::vector<std::shared_ptr<Value>> slots;  // by Element::slot; null: not assigned
  std::vector<Progress> declared;             // by slot: the binding has been evaluated
  std::unordered_map<Component*, std::shared_ptr<Value>> components;
  NodeId has_returned;  // Boolean: a return statement has been met
  NodeId has_broken;    // Boolean: a break of the innermost loop has been met
  // By slot: where some branch has left it without a value. Invalid: nowhere.
  std::vector<NodeId> unassigned;
};

// v[a:b] with ends that change, inside of sum, product, min, max: all elements of v, and which of
// them are meant.
struct Slice {
  std::vector<NodeId> is_meant;
};

struct Env {
  Instance* scope = nullptr;
  const LoopVariable* loops = nullptr;
  Frame* frame = nullptr;
  bool is_silent = false;            // relations make no events
  bool is_in_when = false;           // in the body of a when-clause
  bool is_continuous = false;        // of an equation that holds at all times
  Slice* slice = nullptr;            // where ends of a range may change
  const Sizes* end_sizes = nullptr;  // of the array that is being subscripted
  int end_dimension = 0;
};

struct Given;
class DiscreteTime;

class Evaluator {
 public:
  explicit Evaluator(Session& session);
  ~Evaluator();

  Value evaluate(const syntax::Expr& expr, const Env& env);
  // The sides of an equation: `(a, , b)` stands for the results that it names.
  Value evaluate_tuple(const syntax::TupleExpr& expr, const Env& env);
  NodeId scalar(const syntax::Expr& expr, const Env& env, BaseType type, const std::string& what);

  // ---- references ----
  Value reference(const syntax::ReferenceExpr& expr, const Env& env);
  // What stands for a whole component.
  Value component_value(Component& component);
  // The enumeration or Boolean type that a subscript names as an index type; null if it does not.
  const Instance* index_type(const syntax::Expr& expr, Instance& scope);
  // Applies subscripts and fields to a value.
  Value select_parts(const Value& root, std::span<const syntax::ReferencePart> parts,
                     const Env& env);
  // The subscripts of one dimension each; `sizes` are those of the array.
  struct Subscript {
    Choice choice;
    NodeId index;      // valid if it is known only during the simulation
    NodeId is_inside;  // in a program, where nothing else watches it: it names an element
  };
  bool take_slice(const syntax::Expr& expr, const Env& env, int size, Slice& slice);
  std::vector<Subscript> subscripts(const syntax::List<const syntax::Expr*>& exprs,
                                    const Sizes& sizes, const Env& env,
                                    const CheckedList<Dimension>* dimensions, SourceRange range);
  Value subscript(const Value& value, const std::vector<Subscript>& subscripts);
  // `value`, undefined where a subscript of a program names nothing.
  Value defined_where(const Subscript& subscript, Value value);
  // Size of dimension `d` (from 0) of part `p` of a reference.
  int dimension_size(const syntax::ReferenceExpr& expr, std::size_t p, std::size_t d,
                     const Env& env);

  // ---- operators (operators.cc) ----
  Value unary(syntax::UnaryOp op, Value a, SourceRange range);
  Value binary(syntax::BinaryOp op, const Value& a, const Value& b, bool is_silent,
               SourceRange range);
  Value if_value(NodeId condition, const Value& then_value, const Value& else_value,
                 SourceRange range);
  // Element by element; scalars are used for every element.
  Value map(const Value& a, BaseType type, Op op);
  Value map(const Value& a, const Value& b, BaseType type, Op op, SourceRange range);

  // ---- calls ----
  Value call(const syntax::CallExpr& call, const Env& env);
  // The function or record that a call names; null if it is a predefined function.
  Element* find_function(const syntax::ReferenceExpr& name, const Env& env);

  // The elements a loop runs through.
  std::vector<Value> loop_values(const syntax::Iterator& iterator, const Env& env,
                                 const std::vector<const syntax::Expr*>& body);

  Value integer(std::int64_t value);
  Value real(double value);
  Value boolean(bool value);
  // Error if an Integer is too large to be exact.
  void check_integer(double value, SourceRange range);
  // Error if an array of so many elements is too large.
  void check_elements(double count, SourceRange range);

  // A value of the type of an expression that is not evaluated, without elements
  // (expression_type.cc).
  Value type_of(const syntax::Expr& expr, const Env& env);

  // The source text of a range, for messages.
  std::string text(SourceRange range) const;

 private:
  Value evaluate_kind(const syntax::Expr& expr, const Env& env);
  Value type_of_reference(const syntax::ReferenceExpr& expr, const Env& env);
  Value relation(syntax::BinaryOp op, const Value& a, const Value& b, bool is_silent,
                 SourceRange range);
  NodeId step_relation(syntax::BinaryOp op, NodeId a, NodeId b);
  Value logic(syntax::BinaryOp op, const Value& a, const Value& b, SourceRange range);
  Value add_strings(const Value& a, const Value& b, SourceRange range);
  Value arithmetic(syntax::BinaryOp op, const Value& a, const Value& b, SourceRange range);
  Value multiply(const Value& a, const Value& b, SourceRange range);
  void check_product(double count, bool is_known, const Value& a, const Value& b,
                     SourceRange range);
  Value power(const Value& a, const Value& b, SourceRange range);

  bool decides(Value& left, syntax::BinaryOp op);
  NodeId counts_where(const Value& left, syntax::BinaryOp op) const;
  Value evaluate_if(const syntax::IfExpr& expr, const Env& env);
  Value evaluate_range(const syntax::RangeExpr& expr, const Env& env);
  Value evaluate_binary(const syntax::BinaryExpr& expr, const Env& env);
  Value evaluate_array(const syntax::ArrayExpr& expr, const Env& env);
  Value evaluate_matrix(const syntax::MatrixExpr& expr, const Env& env);
  Value evaluate_end(const Env& env, SourceRange range);
  Value comprehension(const syntax::ComprehensionExpr& expr, const Env& env);

  Value call_class(Element& cls, const syntax::CallExpr& call, const Env& env);
  Value convert_enumeration(Instance& type, const syntax::CallExpr& call, const Env& env);
  Value ask_graph(const syntax::CallExpr& call, const Env& env);
  Value construct_object(Element& cls, const syntax::CallExpr& call, const Env& env);
  std::vector<Given> arguments(Element& function, const syntax::CallExpr& call, const Env& env);
  Value function_argument(const syntax::Expr& expr, const Env& env);
  const Value* find_in_frames(Element& element, const Env& env, SourceRange range);

  Value read_class_member(Element& cls, const syntax::ReferenceExpr& expr, std::size_t next,
                          const Env& env);
  void check_seen_through(const Component& named, const syntax::ReferenceExpr& expr,
                          std::size_t part);
  Value read_component(Component& component, const syntax::ReferenceExpr& expr, std::size_t part,
                       const Env& env);
  Value read_subscripted(Component& component, const syntax::ReferenceExpr& expr, std::size_t part,
                         std::vector<Subscript> subscripts, const Env& env);
  Value read_member(Instance& instance, const syntax::ReferenceExpr& expr, std::size_t part,
                    const Env& env);
  const Value* stored_value(Component& component, const Env& env);
  Value record_value(Component& component, const Env& env);
  Value record_value(Instance& instance, const Env& env);
  void check_reachable(const Found& found, Component& component, SourceRange range, const Env& env);

  void refuse_other_type(const syntax::Expr& skipped, const Value& taken, const Env& env);
  std::optional<Value> certain_type(const syntax::Expr& expr, const Env& env);

  Session& session_;
  std::unique_ptr<DiscreteTime> discrete_time_;
};

}  // namespace hydae::modelica
