// The model: what the user said, flat and symbolic. Variables, parameters, equations, event clauses
// and external functions, each with its name and the place where it was written. A Model says
// nothing about how it is solved.
//
//     Model m("pendulum");
//     Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
//     Expr g = m.parameter("g", 9.81), L = m.parameter("L", 1.0);
//     m.equation(der(x, 2) + x * lambda == 0);
//     m.equation(der(y, 2) + y * lambda - g == 0);
//     m.equation(x * x + y * y == L * L);
//     m.fix(x, 1.0);  m.start(y, 0.0);  m.fix(der(x), 0.0);
//
// Misuse throws UsageError naming the variable or equation. A copy of a Model shares its graph: the
// expressions of one are good in the other.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <hydae/declarations.h>

namespace HYDAE_EXPORT hydae {

class Model : public Declarations {
 public:
  explicit Model(std::string name = "model");

  // A copy whose graph extends that of this model: what is added to it does not touch this one. It
  // is good as long as nothing is added to this model.
  Model extended() const;
  // A copy with a graph of its own.
  Model detached() const;

  // A variable that is given from outside, by the options of a run. Without a signal it keeps its
  // start value, which is zero if it has none.
  Expr input(std::string name, const Expr& start = 0.0);
  Expr input(Variable variable);
  // What an input is, in the place of its start value.
  void drive(const ModelInput& input, const Expr& value);

  // Without a name an equation is called f1, f2, ... by its position.
  EqId equation(const Equality& equality, std::string name = "");
  EqId equation(const Expr& residual, std::string name = "");  // residual == 0
  EqId equation(Equation equation);
  // Takes equations out that follow from the others: implied_equations(). A run checks that they
  // do.
  void imply(const std::vector<EqId>& equations);
  void initial_equation(const Equality& equality, std::string name = "");
  void initial_equation(Equation equation);
  void when(WhenClause clause);
  void assertion(Assertion assertion);
  void path_constraint(PathConstraint constraint);
  FunctionId function(Function function);
  Expr call(FunctionId function, std::span<const Expr> arguments, int output = 0);

  NodeId residual(EqId equation) const;  // lhs - rhs
  // Values of all parameters, those with a binding computed. ModelError if a binding depends on its
  // own parameter or is undefined.
  std::vector<double> parameter_values() const;
};

// Records a DAETS-style function template once:
//     struct { template <class T> void operator()(T t, const T* x, T* f) const { ... diff(x[0], 2)
//     ... } }
// or with a fourth parameter `void* parameters`, which is passed on. Variables are named x[1].. or
// as given; equations f1, f2, ...
template <class F>
std::vector<Expr> record(Model& model, F&& f, int n, const std::vector<std::string>& names = {},
                         void* parameters = nullptr) {
  std::vector<Expr> x;
  if (names.empty()) x = model.variables("x", n);
  for (const std::string& name : names) x.push_back(model.variable(name));
  std::vector<Expr> residuals(x.size());
  const Expr* variables = x.data();
  if constexpr (std::is_invocable_v<F&, Expr, const Expr*, Expr*, void*>)
    f(model.time(), variables, residuals.data(), parameters);
  else
    f(model.time(), variables, residuals.data());
  for (const Expr& residual : residuals) model.equation(residual);
  return x;
}

}  // namespace hydae
