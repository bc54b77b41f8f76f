// Linear systems of the standard library: what it asks LAPACK for.
#include <Eigen/Dense>
#include <fmt/format.h>
#include <stdexcept>

#include "modelica/external.h"

namespace hydae::modelica {

namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A (n by n), then B (n by m), row by row -> X with A*X = B.
void solve(std::span<const double> in, std::span<double> out, Eigen::Index n, Eigen::Index m) {
  const Eigen::Map<const RowMatrix> a(in.data(), n, n), b(in.data() + n * n, n, m);
  const Eigen::PartialPivLU<RowMatrix> factors(a);
  if ((factors.matrixLU().diagonal().array() == 0).any())
    throw std::runtime_error("a linear system is singular");
  Eigen::Map<RowMatrix>(out.data(), n, m) = factors.solve(b);
}

}  // namespace

// Results: X, and info = 0.
std::vector<Value> External::linear_solve(const Call& call) {
  const Value &a = call.inputs[0], &b = call.inputs[1];
  if (a.rank() != 2 || a.sizes[0] != a.sizes[1] || b.rank() < 1 || b.sizes[0] != a.sizes[0])
    session_.fail("size-mismatch",
                  fmt::format("no linear system: {} and {}", type_text(a), type_text(b)),
                  call.range);
  const Eigen::Index n = a.sizes[0], m = b.rank() == 2 ? b.sizes[1] : 1;
  Value x = b;
  x.type = BaseType::kReal;
  if (n > 0 && m > 0) {
    Function function;
    function.name = fmt::format("dgesv{}x{}", n, m);
    function.num_inputs = static_cast<int>(n * n + n * m);
    function.num_outputs = static_cast<int>(n * m);
    function.evaluate = [n, m](std::span<const double> in, std::span<double> out) {
      solve(in, out, n, m);
    };
    std::vector<NodeId> arguments = a.cells;
    arguments.insert(arguments.end(), b.cells.begin(), b.cells.end());
    try {
      x.cells = call_native(function, arguments);
    } catch (const std::runtime_error& error) {
      session_.fail("singular-system", error.what(), call.range);
    }
  }
  return {x, session_.evaluator->integer(0)};
}

}  // namespace hydae::modelica
