#include "compile/agreeing_defaults.h"

#include "compile/consistent_point.h"
#include "init/solve.h"

namespace hydae {
namespace {

// All equations at once, mostly in vain: beyond this it would take longer than the search itself.
constexpr std::size_t kMostOpenColumns = 500;

}  // namespace

std::optional<InitialSystem> with_agreeing_defaults(const InitialSystem& system,
                                                    const InitialSystem& all,
                                                    const PointSettings& settings) {
  InitialGroup open;
  std::vector<double> values;
  for (std::size_t k = 0; k < all.rows.size(); ++k) open.rows.push_back(static_cast<int>(k));
  for (std::size_t k = 0; k < all.columns.size(); ++k) {
    const InitialColumn& column = all.columns[k];
    values.push_back(column.guess);
    if (!column.is_fixed && !column.has_start) open.columns.push_back(static_cast<int>(k));
  }
  if (open.columns.empty() || open.columns.size() > kMostOpenColumns) return std::nullopt;
  GroupEquations equations(all, settings, values);
  equations.select(open);
  if (equations.has_homotopy()) return std::nullopt;
  const init::Solution found = init::solve(equations.problem(), newton_only());
  if (!found.is_solved()) return std::nullopt;
  InitialSystem result = system;
  for (std::size_t k = 0; k < open.columns.size(); ++k) {
    const auto at = result.leaf_to_column.find(all.columns[slot(open.columns[k])].leaf);
    if (at != result.leaf_to_column.end())
      result.columns[slot(at->second)].guess = found.x[static_cast<Eigen::Index>(k)];
  }
  return result;
}

}  // namespace hydae
