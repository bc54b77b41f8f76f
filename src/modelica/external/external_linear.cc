// Linear systems of the standard library: what it asks LAPACK for.
#include <Eigen/Core>
#include <fmt/format.h>
#include <stdexcept>

#include "linalg/dense_factors.h"
#include "modelica/external/native_calls.h"
#include "modelica/external/native_functions.h"

namespace hydae::modelica::native {

namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A (n by n), then B (n by m), row by row -> X with A*X = B.
void solve(std::span<const double> in, std::span<double> out, Eigen::Index n, Eigen::Index m) {
  const Eigen::Map<const RowMatrix> a(in.data(), n, n), b(in.data() + n * n, n, m);
  const linalg::DenseLu factors(a);
  if (factors.has_zero_pivot()) throw std::runtime_error("a linear system is singular");
  Eigen::Map<RowMatrix>(out.data(), n, m) = factors.solve(b);
}

// The X of least norm among those with the least |A*X - B|, A n by k; its rows behind row k are 0.
// The rank of A comes last.
void solve_least_squares(std::span<const double> in, std::span<double> out, Eigen::Index n,
                         Eigen::Index k, Eigen::Index m) {
  const Eigen::Map<const RowMatrix> a(in.data(), n, k), b(in.data() + n * k, n, m);
  const linalg::OrthogonalFactors factors(a);
  std::fill(out.begin(), out.end(), 0.0);
  Eigen::Map<RowMatrix>(out.data(), std::max(n, k), m).topRows(k) = factors.solve(b);
  out.back() = static_cast<double>(factors.rank());
}

}  // namespace

Function make_least_squares(int n, int k, int m) {
  Function function;
  function.name = fmt::format("dgelsy{}x{}x{}", n, k, m);
  function.num_inputs = n * k + n * m;
  function.num_outputs = std::max(n, k) * m + 1;
  function.evaluate = [n, k, m](std::span<const double> in, std::span<double> out) {
    solve_least_squares(in, out, n, k, m);
  };
  return function;
}

Function make_linear_solver(int n, int m) {
  Function function;
  function.name = fmt::format("dgesv{}x{}", n, m);
  function.num_inputs = n * n + n * m;
  function.num_outputs = n * m;
  function.evaluate = [n, m](std::span<const double> in, std::span<double> out) {
    solve(in, out, n, m);
  };
  return function;
}

// Results: X, info = 0, and the rank.
std::vector<Value> least_squares(const Call& call) {
  const Value &a = call.inputs[0], &b = call.inputs[1];
  if (a.rank() != 2 || b.rank() < 1 || b.rank() > 2 || b.sizes[0] != a.sizes[0] ||
      a.cells.empty() || !a.is_numeric() || !b.is_numeric())
    call.session.fail(
        "size-mismatch",
        fmt::format("no least squares problem: {} and {}", type_text(a), type_text(b)), call.range);
  const int n = a.sizes[0], k = a.sizes[1], m = b.rank() == 2 ? b.sizes[1] : 1;
  std::vector<NodeId> arguments = a.cells;
  arguments.insert(arguments.end(), b.cells.begin(), b.cells.end());
  std::vector<NodeId> cells = call_native(call.session, make_least_squares(n, k, m), arguments);
  const NodeId rank = cells.back();
  cells.pop_back();
  Sizes sizes = {std::max(n, k)};
  if (b.rank() == 2) sizes.push_back(m);
  return {Value::array_of(BaseType::kReal, sizes, std::move(cells)),
          call.session.evaluator->integer(0), Value::scalar_of(BaseType::kInteger, rank)};
}

// Results: X, and info = 0.
std::vector<Value> linear_solve(const Call& call) {
  const Value &a = call.inputs[0], &b = call.inputs[1];
  if (a.rank() != 2 || a.sizes[0] != a.sizes[1] || b.rank() < 1 || b.rank() > 2 ||
      b.sizes[0] != a.sizes[0] || !a.is_numeric() || !b.is_numeric())
    call.session.fail("size-mismatch",
                      fmt::format("no linear system: {} and {}", type_text(a), type_text(b)),
                      call.range);
  const int n = a.sizes[0], m = b.rank() == 2 ? b.sizes[1] : 1;
  Value x = b;
  x.type = BaseType::kReal;
  if (n > 0 && m > 0) {
    std::vector<NodeId> arguments = a.cells;
    arguments.insert(arguments.end(), b.cells.begin(), b.cells.end());
    try {
      x.cells = call_native(call.session, make_linear_solver(n, m), arguments);
    } catch (const std::runtime_error& error) {
      call.session.fail("singular-system", error.what(), call.range);
    }
  }
  return {x, call.session.evaluator->integer(0)};
}

}  // namespace hydae::modelica::native
