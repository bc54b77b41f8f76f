// Which guesses can have to do with the failure of a group, and what must be solved anew together
// with it when they are let go: the groups through which they reach it.
#pragma once

#include <span>
#include <vector>

#include "compile/initial_system.h"

namespace hydae {

class GroupGraph {
 public:
  GroupGraph(const InitialSystem& system, const std::vector<InitialGroup>& groups);

  // Groups with an equation that contains the column.
  std::vector<std::size_t> readers(int column) const;

  struct Release {
    std::vector<int> columns;         // that no group determines and that are not fixed
    std::vector<std::size_t> groups;  // through which they reach the failing ones, these included
    InitialGroup together;            // all of it as one group
    std::vector<InitialGroup> order;  // of all groups, with that one in place of its parts
    // Of it. The groups before it come before the last failing one now and depend on none of the
    // columns.
    std::size_t place = 0;
  };
  // No columns if nothing can be let go.
  Release release_for(std::span<const std::size_t> failing) const;

 private:
  std::vector<bool> needed_by(std::span<const std::size_t> failing) const;
  // Groups that depend on one of the columns.
  void mark_dependent(const std::vector<bool>& is_column, std::vector<bool>& is_marked) const;

  const InitialSystem& system_;
  const std::vector<InitialGroup>& groups_;
  std::vector<std::vector<int>> columns_read_;  // by group, fixed ones left out
  std::vector<int> group_of_;                   // by column; -1: none
};

}  // namespace hydae
