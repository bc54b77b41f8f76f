#include "partition/combine.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace hydae::partition {

namespace {

std::size_t count_taken(const Partition& p) { return p.index1.size() + p.index2.size(); }

bool is_decided(const Partition& p) { return p.index <= Index::kHigher; }

// The point with the most constraints, decided ones first, the earliest of equals.
std::size_t find_deciding_point(const std::vector<Partition>& points) {
  std::size_t best = 0;
  const auto key = [&](std::size_t k) {
    return std::pair(is_decided(points[k]), count_taken(points[k]));
  };
  for (std::size_t k = 1; k < points.size(); ++k) {
    if (key(k) > key(best)) best = k;
  }
  return best;
}

struct Lists {
  std::set<EqId> equations;
  std::set<VarId> variables;
  void add(const std::vector<Pair>& pairs) {
    for (const Pair& pair : pairs) {
      equations.insert(pair.equation);
      variables.insert(pair.variable);
    }
  }
  std::size_t size() const { return equations.size(); }
  bool is_square() const { return equations.size() == variables.size(); }
  bool operator==(const Lists&) const = default;
};

struct Union {
  Lists index1, index2;
};

Union unite(const std::vector<Partition>& points) {
  Union all;
  for (const Partition& p : points) {
    if (p.index == Index::kSingular) continue;
    all.index1.add(p.index1);
    all.index2.add(p.index2);
  }
  return all;
}

class PointCombination {
 public:
  PointCombination(const FirstOrderSystem& system, const std::vector<Partition>& points)
      : system_(system), points_(points) {}

  Combined combine(const Confirm& confirm) {
    result_.report.deciding_point = find_deciding_point(points_);
    result_.partition = points_[result_.report.deciding_point];
    if (points_.size() == 1) return std::move(result_);
    const Union all = unite(points_);
    find_conflicts(all);
    if (!result_.report.conflicts.empty()) {
      result_.report.is_consistent = false;
      return std::move(result_);
    }
    confirm_at_all_points(all, confirm);
    return std::move(result_);
  }

 private:
  void find_conflicts(const Union& all) {
    for (EqId i : all.index1.equations) {
      if (all.index2.equations.contains(i))
        conflict("`{}` has index 1 at one time and index 2 at another", system_.rows[i].name);
    }
    for (const Lists* lists : {&all.index1, &all.index2}) {
      if (!lists->is_square())
        conflict("the times choose {} variables for {} constraints of the same kind",
                 lists->variables.size(), lists->equations.size());
    }
    std::set<VarId> algebraic = all.index1.variables;
    algebraic.insert(all.index2.variables.begin(), all.index2.variables.end());
    if (algebraic.size() < all.index1.variables.size() + all.index2.variables.size())
      conflict("a variable has index 1 at one time and index 2 at another");
    for (VarId j : result_.partition.differential_variables) {
      if (algebraic.contains(j))
        conflict("`{}` is differential at one time and algebraic at another",
                 system_.columns[j].name);
    }
  }

  template <class... Arguments>
  void conflict(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    result_.report.conflicts.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  // The deciding point speaks for itself if it has the whole union; otherwise the union must be
  // confirmed somewhere.
  void confirm_at_all_points(const Union& all, const Confirm& confirm) {
    const std::size_t size = all.index1.size() + all.index2.size();
    std::vector<EqId> equations(all.index1.equations.begin(), all.index1.equations.end());
    std::vector<VarId> variables(all.index1.variables.begin(), all.index1.variables.end());
    equations.insert(equations.end(), all.index2.equations.begin(), all.index2.equations.end());
    variables.insert(variables.end(), all.index2.variables.begin(), all.index2.variables.end());
    bool is_found = count_taken(result_.partition) == size;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      if (count_taken(points_[k]) == size) continue;
      const Partition again = confirm(k, equations, variables);
      if (count_taken(again) < size) {
        result_.report.singular_times.push_back(points_[k].t);
      } else if (!is_found) {
        result_.partition = again;
        result_.report.deciding_point = k;
        is_found = true;
      }
    }
    if (!is_found) {
      conflict("the union of the lists is singular at every time");
      result_.report.is_consistent = false;
    }
  }

  const FirstOrderSystem& system_;
  const std::vector<Partition>& points_;
  Combined result_;
};

}  // namespace

Combined combine_points(const FirstOrderSystem& system, const std::vector<Partition>& points,
                        const Confirm& confirm) {
  return PointCombination(system, points).combine(confirm);
}

}  // namespace hydae::partition
