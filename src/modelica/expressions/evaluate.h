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

  DiscreteTime& discrete_time() { return *discrete_time_; }
  // The source text of a range, for messages.
  std::string text(SourceRange range) const;

 private:
  Value evaluate_kind(const syntax::Expr& expr, const Env& env);
  bool decides(Value& left, syntax::BinaryOp op);
  NodeId counts_where(const Value& left, syntax::BinaryOp op) const;
  Value evaluate_if(const syntax::IfExpr& expr, const Env& env);
  Value evaluate_range(const syntax::RangeExpr& expr, const Env& env);
  Value evaluate_binary(const syntax::BinaryExpr& expr, const Env& env);
  Value evaluate_array(const syntax::ArrayExpr& expr, const Env& env);
  Value evaluate_matrix(const syntax::MatrixExpr& expr, const Env& env);
  Value evaluate_end(const Env& env, SourceRange range);
  Value comprehension(const syntax::ComprehensionExpr& expr, const Env& env);

  Session& session_;
  std::unique_ptr<DiscreteTime> discrete_time_;
};

}  // namespace hydae::modelica
