#include "compile/guess_release.h"

#include <algorithm>

#include "expr/incidence.h"

namespace hydae {

GroupGraph::GroupGraph(const InitialSystem& system, const std::vector<InitialGroup>& groups)
    : system_(system),
      groups_(groups),
      columns_read_(groups.size()),
      group_of_(system.columns.size(), -1) {
  Incidence incidence;
  const Graph& graph = system.prepared->system.graph();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (int column : groups[g].columns) group_of_[slot(column)] = static_cast<int>(g);
    std::vector<int>& read = columns_read_[g];
    for (int row : groups[g].rows)
      for (const Leaf& leaf : incidence.leaves(graph, system.rows[slot(row)].residual)) {
        const auto column = system.leaf_to_column.find(leaf);
        if (column != system.leaf_to_column.end() && !system.columns[slot(column->second)].is_fixed)
          read.push_back(column->second);
      }
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
  }
}

std::vector<std::size_t> GroupGraph::readers(int column) const {
  std::vector<std::size_t> result;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (std::binary_search(columns_read_[g].begin(), columns_read_[g].end(), column))
      result.push_back(g);
  return result;
}

// Groups from which the failing ones take values, themselves included. Groups are in the order of
// solution: one pass from the end finds them all.
std::vector<bool> GroupGraph::needed_by(std::span<const std::size_t> failing) const {
  std::vector<bool> is_needed(groups_.size(), false);
  for (std::size_t g : failing) is_needed[g] = true;
  for (std::size_t g = groups_.size(); g-- > 0;) {
    if (!is_needed[g]) continue;
    for (int column : columns_read_[g])
      if (group_of_[slot(column)] >= 0) is_needed[slot(group_of_[slot(column)])] = true;
  }
  return is_needed;
}

void GroupGraph::mark_dependent(const std::vector<bool>& is_column,
                                std::vector<bool>& is_marked) const {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (int column : columns_read_[g]) {
      const int from = group_of_[slot(column)];
      if (is_column[slot(column)] || (from >= 0 && is_marked[slot(from)])) is_marked[g] = true;
    }
}

GroupGraph::Release GroupGraph::release_for(std::span<const std::size_t> failing) const {
  Release release;
  const std::vector<bool> is_needed = needed_by(failing);
  std::vector<bool> is_released(system_.columns.size(), false);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (int column : columns_read_[g])
      if (is_needed[g] && group_of_[slot(column)] < 0) is_released[slot(column)] = true;
  for (std::size_t k = 0; k < is_released.size(); ++k)
    if (is_released[k]) release.columns.push_back(static_cast<int>(k));

  std::vector<bool> is_reached(groups_.size(), false);
  mark_dependent(is_released, is_reached);
  std::vector<bool> is_merged(groups_.size(), false);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    is_merged[g] = is_reached[g] && is_needed[g];
    if (!is_merged[g]) continue;
    release.groups.push_back(g);
    std::vector<int>&rows = release.together.rows, &columns = release.together.columns;
    rows.insert(rows.end(), groups_[g].rows.begin(), groups_[g].rows.end());
    columns.insert(columns.end(), groups_[g].columns.begin(), groups_[g].columns.end());
  }
  std::vector<int>& columns = release.together.columns;
  columns.insert(columns.end(), release.columns.begin(), release.columns.end());
  std::sort(columns.begin(), columns.end());
  std::sort(release.together.rows.begin(), release.together.rows.end());

  release.together.is_released = true;

  const std::size_t last = *std::max_element(failing.begin(), failing.end());
  for (std::size_t g = 0; g < last; ++g)
    if (!is_reached[g]) release.order.push_back(groups_[g]);
  release.place = release.order.size();
  release.order.push_back(release.together);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (!is_merged[g] && (is_reached[g] || g > last)) release.order.push_back(groups_[g]);
  return release;
}

}  // namespace hydae
