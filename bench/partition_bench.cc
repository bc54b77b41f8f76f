// Cost of constraint partitioning: growth with the number of equations, one constraint to four
// differential equations.
//
//     partition_bench [largest number of equations]
//
// Two families: `chain`, constraints of index 1 and 2 in turn, each coupled with its neighbours
// (the worst case for the growing inverses: one block), and `cells`, the same without coupling
// between groups of eight. Then the 63-equation example of Raha & Petzold 2000, section 5.5, and
// finer grids, from expressions to report. Processor seconds; the last column is the exponent of
// growth since the row above.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>

#include <hydae/partition.h>
#include <hydae/problems.h>

#include "measure.h"
#include "partition/partition_system.h"

namespace hydae::partition {
namespace {

double seconds_since(double start) { return (bench::cpu_nanoseconds() - start) / 1e9; }

// Four states and one constraint in each group: x' = -x + neighbours + its algebraic variable.
Linearization make_system(int groups, int coupled) {
  const int n = 5 * groups;
  std::vector<Eigen::Triplet<double>> mass, jacobian, rate;
  for (int g = 0; g < groups; ++g) {
    const int state = 4 * g, constraint = 4 * groups + g;
    const bool has_left = g % coupled != 0, is_index1 = g % 2 == 0;
    for (int k = 0; k < 4; ++k) {
      mass.emplace_back(state + k, state + k, 1.0);
      jacobian.emplace_back(state + k, state + k, 1.0 + 0.1 * k);
      if (k > 0) jacobian.emplace_back(state + k, state + k - 1, -0.3);
    }
    jacobian.emplace_back(state, constraint, -0.5);
    if (has_left) jacobian.emplace_back(state, state - 1, -0.2);
    jacobian.emplace_back(constraint, state, 1.0);
    rate.emplace_back(constraint, state, 0.01);
    if (is_index1) jacobian.emplace_back(constraint, constraint, 2.0);
    if (has_left) jacobian.emplace_back(constraint, state - 4, 0.25);
    if (is_index1 && has_left && g >= 2) jacobian.emplace_back(constraint, constraint - 2, 0.3);
  }
  Linearization system;
  for (auto [matrix, entries] : {std::pair{&system.mass, &mass},
                                 {&system.jacobian, &jacobian},
                                 {&system.jacobian_rate, &rate}}) {
    matrix->resize(n, n);
    matrix->setFromTriplets(entries->begin(), entries->end());
  }
  return system;
}

void measure(const char* name, int coupled, int largest) {
  fmt::print("{:<8}{:>10}{:>12}{:>8}{:>8}{:>12}{:>10}\n", name, "equations", "constraints",
             "index1", "index2", "seconds", "growth");
  double before = 0;
  for (int groups = std::max(1, largest / 80); groups <= largest / 5; groups *= 2) {
    const Linearization system = make_system(groups, coupled == 0 ? groups + 1 : coupled);
    const double start = bench::cpu_nanoseconds();
    const Partition p = partition_system(system);
    const double seconds = seconds_since(start);
    fmt::print("{:<8}{:>10}{:>12}{:>8}{:>8}{:>12.4f}{:>10}\n", "", 5 * groups, groups,
               p.index1.size(), p.index2.size(), seconds,
               before > 0 ? fmt::format("{:.2f}", std::log2(seconds / before)) : "");
    before = seconds;
  }
}

// From the model to the report's data.
void measure_biphasic(int largest) {
  fmt::print("{:<8}{:>10}{:>12}{:>12}{:>10}\n", "biphasic", "equations", "constraints", "seconds",
             "growth");
  double before = 0;
  for (int elements = 20; 3 * (elements + 1) <= largest + 3; elements *= 2) {
    const Model model = find_problem(fmt::format("biphasic({})", elements + 1))->make_model();
    const double start = bench::cpu_nanoseconds();
    const ModelPartition p = partition_model(model);
    const double seconds = seconds_since(start);
    fmt::print("{:<8}{:>10}{:>12}{:>12.4f}{:>10}\n", "", model.num_equations(),
               p.combined.index1.size(), seconds,
               before > 0 ? fmt::format("{:.2f}", std::log2(seconds / before)) : "");
    before = seconds;
  }
}

}  // namespace
}  // namespace hydae::partition

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // rows appear as they are measured
  const int largest = argc > 1 ? std::max(80, std::atoi(argv[1])) : 5000;
  hydae::partition::measure("cells", 8, largest);
  hydae::partition::measure("chain", 0, largest);
  hydae::partition::measure_biphasic(largest);
  return 0;
}
