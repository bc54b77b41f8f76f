// What expressions and models cost: CPU seconds for a root of two million nodes and for a model of
// a million equations, each coupled to its two neighbours.
#include <ctime>
#include <fmt/format.h>
#include <vector>

#include <hydae/model.h>

#include "expr/derivative.h"
#include "expr/evaluate.h"
#include "expr/incidence.h"
#include "expr/jacobian.h"

namespace {

using namespace hydae;

constexpr int kSize = 1'000'000;

// Prints the CPU time since the last report.
class Report {
 public:
  void operator()(const char* what, std::size_t count) {
    const std::clock_t now = std::clock();
    fmt::print("{:<36} {:>9} {:>7.3f} s\n", what, count, double(now - last_) / CLOCKS_PER_SEC);
    last_ = std::clock();
  }

 private:
  std::clock_t last_ = std::clock();
};

void run_deep_root() {
  Report report;
  Graph graph;
  NodeId root = graph.variable(VarId(0));
  for (int i = 0; i < kSize; ++i)
    root = graph.binary(Op::kAdd, graph.unary(Op::kSin, root), graph.variable(VarId(i % 1024)));
  report("build, nodes", graph.size());
  report("gradient, entries", gradient(graph, root).size());
  total_derivative(graph, root);
  report("time derivative, nodes of the graph", graph.size());
  report("text, characters", to_string(graph, root, {}).size());
}

void run_chain() {
  Report report;
  Model model;
  const std::vector<Expr> x = model.variables("x", kSize);
  report("declare variables", x.size());
  for (int i = 0; i < kSize; ++i) {
    const Expr left = i > 0 ? x[i - 1] : Expr(0), right = i + 1 < kSize ? x[i + 1] : Expr(0);
    model.equation(der(x[i]) == left - 2 * x[i] + right + sin(x[i]));
  }
  report("write equations, nodes", model.graph().size());
  Incidence incidence;
  std::vector<NodeId> roots;
  for (EqId id : ids<EqId>(model.num_equations())) roots.push_back(model.residual(id));
  std::size_t num_entries = 0;
  for (NodeId root : roots) num_entries += incidence.of(model.graph(), root).size();
  report("residuals and incidence, entries", num_entries);
  Evaluator evaluator(model.graph(), roots);
  Jacobian jacobian(evaluator, evaluator.leaves());
  report("prepare evaluation and Jacobian", roots.size());
  const std::vector<double> values(evaluator.leaves().size(), 0.5);
  evaluator.evaluate({.values = values});
  report("evaluate", roots.size());
  jacobian.evaluate({.values = values});
  num_entries = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) num_entries += jacobian.row(i).size();
  report("Jacobian, entries", num_entries);
}

}  // namespace

int main() {
  run_deep_root();
  run_chain();
}
