// Derivatives of functions that are not inlined, from their `derivative` annotations (12.7.1). Such
// a function g(x, der(x)) is the time derivative of f(x), linear in der(x): its value for a unit
// vector is one column of d output / d input. An annotation of order 2 of g names
// h(x, der(x), der2(x)), the second derivative of f: quadratic in der(x), so d g / d x comes from
// it by polarization.
//
// Inlined functions need none of this: their formulas are differentiated.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "modelica/functions/functions.h"

namespace hydae::modelica {

// An annotation that has been understood.
struct DerivativeNote {
  Element* function = nullptr;
  int order = 1;
  std::vector<bool> is_zero;      // by input: zeroDerivative, so the input must not change
  std::vector<bool> is_left_out;  // by input: zeroDerivative or noDerivative
};

class Derivatives {
 public:
  explicit Derivatives(Session& session) : session_(session) {}

  bool has_any(const FunctionInfo& function) { return !notes(function).empty(); }
  // The first annotation that holds for these inputs; null if there is none. The order of `inputs`
  // is that of the function. Reports an annotation that makes no sense.
  const DerivativeNote* find(const FunctionInfo& function, const std::vector<Value>& inputs);

  // What is differentiated: `inputs` are formulas of the first `num_registers` registers; of the
  // outputs only types and sizes count.
  struct Request {
    const FunctionInfo& function;
    const DerivativeNote& note;
    std::vector<Value> inputs;
    std::vector<Value> outputs;
    int num_registers;
    SourceRange range;
  };
  // Adds the program that computes d output / d register, row by row. `own` is the function itself
  // if the program may call it.
  FunctionId add(const Request& request, const std::string& name, FunctionId own);

 private:
  std::vector<NodeId> jacobian(const Request& request);
  const std::vector<DerivativeNote>& notes(const FunctionInfo& function);
  DerivativeNote understand(const FunctionInfo& function, const syntax::Modification& written,
                            Instance& scope);
  std::vector<bool> named_inputs(const FunctionInfo& function,
                                 const syntax::Modification& annotation, const char* option);
  void check_shape(const Request& request);
  std::vector<NodeId> column(const Request& request, std::size_t k);
  std::vector<NodeId> column_of_second(const Request& request, std::size_t k);
  Value direction(Value value, std::size_t k);
  std::vector<NodeId> call(Element& function, std::vector<Value> arguments, SourceRange range);

  Session& session_;
  std::map<const Instance*, std::vector<DerivativeNote>> notes_;  // of a function
  // Of a function that is a derivative: the inputs of the original, by whose derivatives it follows
  // them.
  std::map<const Instance*, std::vector<bool>> is_differentiated_;
};

// The outputs that a call gives, one by one.
std::vector<Value> list_outputs(Value result);

}  // namespace hydae::modelica
