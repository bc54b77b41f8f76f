// What the numeric tape costs: residuals of a problem, rows of their Jacobian and derivatives along
// directions, nanoseconds for all equations, the smallest of many repetitions.
//     tape_bench [PROBLEM ...]
#include <fmt/format.h>
#include <string>
#include <vector>

#include <hydae/problems.h>

#include "expr/jacobian.h"
#include "expr/tangents.h"
#include "measure.h"

namespace {

using namespace hydae;

constexpr double kSeconds = 0.3;

void run(const std::string& name) {
  const Model model = find_problem(name)->make_model();
  std::vector<NodeId> roots;
  for (EqId id : ids<EqId>(model.num_equations())) roots.push_back(model.residual(id));
  Evaluator evaluator(model.graph(), roots, &model.functions());
  Jacobian jacobian(evaluator, evaluator.leaves());
  Tangents tangents(evaluator, evaluator.leaves());
  const std::vector<double> parameters = model.parameter_values();
  std::vector<double> values, seeds, products;
  for (std::size_t k = 0; k < evaluator.leaves().size(); ++k) {
    values.push_back(0.3 + 0.01 * static_cast<double>(k));
    for (std::size_t j = 0; j < 16; ++j) seeds.push_back(j == k % 16);
  }
  const Point point{.time = 0.1, .parameters = parameters, .values = values};
  double sum = 0;
  const double value_time = bench::fastest(kSeconds, [&] { sum += evaluator.evaluate(point)[0]; });
  std::size_t num_entries = 0;
  const double row_time = bench::fastest(kSeconds, [&] {
    jacobian.evaluate(point);
    num_entries = 0;
    for (std::size_t k = 0; k < roots.size(); ++k) num_entries += jacobian.row(k).size();
  });
  const double lane_time =
      bench::fastest(kSeconds, [&] { tangents.evaluate(point, seeds, 16, products); });
  fmt::print(
      "{:<14} {:>5} equations, values {:>8.0f} ns, {:>6} entries by rows {:>8.0f} ns, 16 "
      "directions {:>8.0f} ns{}\n",
      name, roots.size(), value_time, num_entries, row_time, lane_time, sum == 0.125 ? " " : "");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = {"pendulum", "car_axis", "andrews", "ring_modulator", "transamp"};
  for (const std::string& name : names) run(name);
}
