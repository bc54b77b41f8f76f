// The table of numbers that equations read (see HybridModel), filled from what it stands for. Its
// only writer: a table is always that of one state, never a mixture.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "sim/evaluation_context.h"
#include "sim/hybrid_state.h"
#include "sim/left_limit.h"

namespace hydae {

// What the numbers are taken from.
struct TableContent {
  const Switches& switches;
  const std::vector<double>& values;  // of discrete variables, by VarId
  const std::vector<double>& pre;     // the same, under pre()
  const std::vector<PastPiece>& pieces;
  const std::set<std::size_t>* ticks = nullptr;  // that are due; none if null
  bool is_initial = false, is_terminal = false;
};

// Of a state between events.
inline TableContent content_of(const HybridState& state) {
  return {state.switches, state.discrete, state.discrete, state.pieces};
}

// Between which a counter keeps its value.
std::pair<double, double> counter_bounds(Op op, double count);

class SwitchTable {
 public:
  explicit SwitchTable(const HybridModel& model);

  // Valid until the next call.
  const std::vector<double>& fill(const TableContent& content);
  const std::vector<double>& numbers() const { return numbers_; }
  // In addition: what impact laws read under pre().
  void set_left_limits(const LeftLimit& left);

 private:
  void set_bits(const std::vector<bool>& bits);
  void set_counts(const std::vector<double>& counts);
  void set_pieces(const std::vector<PastPiece>& pieces);
  void set_coefficients(const TableContent& content);

  const HybridModel& model_;
  CompiledExpressions coefficients_;
  std::vector<double> numbers_;
};

}  // namespace hydae
