#include "compile/state_selector.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compile/start_values.h"
#include "expr/derivative.h"
#include "expr/walk.h"

namespace hydae {
namespace {

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

int preference_of(StateSelect wish) { return static_cast<int>(wish) - 2; }

}  // namespace

StateSelector::StateSelector(const AnalyzedSystem& prepared) : prepared_(prepared) {
  find_rows();
  if (has_choice()) make_program();
}

// Equations that are differentiated although their block stands alone.
void StateSelector::find_rows() {
  const structure::Analysis& s = prepared_.structure;
  row_of_.assign(s.offsets.c.size(), kNoRow);
  for (BlockId block : ids<BlockId>(s.fine.size())) {
    const auto eqs = s.fine.eqs(block);
    bool has_rows = false;
    for (EqId eq : eqs) {
      if (s.local.c[eq] == 0) continue;
      row_of_[eq] = rows_.size();
      rows_.push_back(eq);
      has_rows = true;
    }
    if (has_rows) num_columns_ += s.fine.vars(block).size();
  }
}

// df_i / dx_j^(d_j - c_i), columns scaled by nominal values.
void StateSelector::make_program() {
  const System& system = prepared_.system;
  const structure::Analysis& s = prepared_.structure;
  Graph& graph = system.graph();
  const std::vector<double> parameters = system.model->parameter_values();
  const auto nominal_of = [&](VarId variable) {
    if (variable.index() >= system.model->num_variables()) return 1.0;
    const auto& nominal = system.model->all_variables()[variable].nominal;
    const double size =
        nominal ? std::abs(number_of(*system.model, *nominal, parameters).value_or(1.0)) : 1.0;
    return size > 0 && std::isfinite(size) ? size : 1.0;
  };
  std::vector<NodeId> roots;
  for (EqId eq : rows_) {
    first_value_.push_back(roots.size());
    std::vector<Entry> row;
    for (const Partial& partial : gradient(graph, system.residuals[eq])) {
      const auto column = system.find_column(partial.leaf.variable);
      if (!column || partial.leaf.order != s.offsets.d[*column] - s.offsets.c[eq] ||
          s.fine.block_of(*column) != s.fine.block_of(eq))
        continue;
      row.push_back({*column, nominal_of(partial.leaf.variable)});
      roots.push_back(partial.derivative);
    }
    entries_.push_back(std::move(row));
  }
  Walk walk;
  std::map<NodeId, std::size_t> places;
  for (NodeId id : walk.order(graph, roots, Walk::Scope::kGiven)) {
    if (graph.op(id) != Op::kVariable && graph.op(id) != Op::kPre) continue;
    places[id] = inputs_.size();
    inputs_.push_back(graph.node(id));
  }
  const auto place = [&](const Node& node) {
    return places.at(node.op == Op::kPre ? graph.pre(node.variable, node.order)
                                         : graph.variable(node.variable, node.order));
  };
  program_.emplace(graph, roots, ValueProgram::Inputs{inputs_.size(), 0, place},
                   &system.model->functions());
  values_.resize(roots.size());
}

void StateSelector::evaluate(const At& at) {
  const std::span<double> inputs = program_->inputs();
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Leaf leaf = inputs_[k].leaf();
    inputs[k] = inputs_[k].op == Op::kPre ? at.pre(leaf) : at.value(leaf);
  }
  program_->set_fixed(at.parameters, {});
  program_->evaluate(at.time, values_);
}

int StateSelector::preference(VarId column) const {
  const VarId variable = prepared_.system.unknowns[column];
  if (variable.index() >= prepared_.system.model->num_variables()) return -1;
  return preference_of(prepared_.system.model->all_variables()[variable].state_select);
}

linalg::WideMatrix StateSelector::matrix_of(std::span<const EqId> eqs,
                                            std::span<const VarId> candidates) const {
  std::map<VarId, int> place;
  linalg::WideMatrix matrix;
  matrix.num_columns = static_cast<int>(candidates.size());
  for (VarId column : candidates) {
    place.emplace(column, static_cast<int>(place.size()));
    matrix.rank.push_back(preference(column));
  }
  for (EqId eq : eqs) {
    const std::size_t row = row_of_[eq];
    std::vector<linalg::SparseEntry> entries;
    for (std::size_t k = 0; k < entries_[row].size(); ++k) {
      const auto at = place.find(entries_[row][k].column);
      const double value = values_[first_value_[row] + k] * entries_[row][k].scale;
      if (at != place.end() && value != 0) entries.push_back({at->second, value});
    }
    matrix.rows.push_back(std::move(entries));
  }
  return matrix;
}

structure::StateSelection StateSelector::select(const At& at) {
  choices_.clear();
  if (has_choice()) evaluate(at);
  const bool is_defined =
      std::all_of(values_.begin(), values_.end(), [](double v) { return std::isfinite(v); });
  const auto by_structure =
      structure::choose_by_structure(prepared_.sigma, prepared_.structure,
                                     [this](VarId column, int) { return preference(column); });
  return structure::select_states(
      prepared_.structure, [&](const structure::DummyChoice& choice) -> std::vector<VarId> {
        std::vector<VarId> chosen;
        const auto best = is_defined
                              ? linalg::choose_columns(matrix_of(choice.eqs, choice.candidates))
                              : std::nullopt;
        if (best)
          for (int k : *best) chosen.push_back(choice.candidates[static_cast<std::size_t>(k)]);
        else
          chosen = by_structure(choice);
        std::sort(chosen.begin(), chosen.end());
        choices_.push_back({{choice.eqs.begin(), choice.eqs.end()},
                            {choice.candidates.begin(), choice.candidates.end()},
                            chosen});
        return chosen;
      });
}

double StateSelector::gain(const At& at) {
  if (!has_choice()) return 0;
  evaluate(at);
  if (!std::all_of(values_.begin(), values_.end(), [](double v) { return std::isfinite(v); }))
    return 0;
  double largest = 0;
  for (const Choice& choice : choices_) {
    std::vector<int> chosen;
    for (std::size_t k = 0; k < choice.candidates.size(); ++k)
      if (std::binary_search(choice.chosen.begin(), choice.chosen.end(), choice.candidates[k]))
        chosen.push_back(static_cast<int>(k));
    largest =
        std::max(largest, linalg::exchange_gain(matrix_of(choice.eqs, choice.candidates), chosen));
  }
  return largest;
}

}  // namespace hydae
