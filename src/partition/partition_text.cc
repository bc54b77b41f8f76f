// The report of a partition for a person.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <hydae/partition.h>

#include "partition/report_words.h"

namespace hydae::partition {

namespace {

constexpr std::size_t kMostNames = 80, kMostDecisions = 400, kMostRanks = 12;
constexpr std::size_t kWidth = 100;

class TextReport {
 public:
  explicit TextReport(const ModelPartition& p) : p_(p) {}

  std::string write() {
    write_head();
    if (p_.combined.index != Index::kSingular) {
      write_differential();
      write_transformations();
      write_constraints();
      write_outside_variables();
      write_norms();
      write_ranks();
    }
    write_points();
    write_structure();
    for (const MovedStart& start : p_.moved) line("{}", hydae::to_text(start));
    if (!p_.assumed_zero.empty()) list("no start value, taken as 0:", p_.assumed_zero);
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  const std::string& name(EqId i) const { return p_.equations[i.index()].name; }
  const std::string& name(VarId j) const { return p_.variables[j.index()].name; }

  std::string place(EqId i) const {
    const std::string& text = p_.equations[i.index()].place;
    return text.empty() ? "" : fmt::format(" ({})", text);
  }

  template <class IdType>
  std::vector<std::string> names(const std::vector<IdType>& ids) const {
    std::vector<std::string> result;
    for (IdType id : ids) result.push_back(name(id));
    return result;
  }

  // A head and names after it, wrapped.
  void list(const std::string& head, const std::vector<std::string>& names) {
    std::string text = head;
    std::size_t width = head.size();
    for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k) {
      if (width + names[k].size() + 2 > kWidth) {
        text += "\n     ";
        width = 5;
      }
      text += " " + names[k] + (k + 1 < names.size() ? "," : "");
      width += names[k].size() + 2;
    }
    if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
    out_ += text + "\n";
  }

  void write_head() {
    const Partition& c = p_.combined;
    line("partition of `{}` at t = {}", p_.model, c.t);
    std::string index = fmt::format("as given: index {}", index_name(p_.given_index));
    if (p_.local_index && p_.given_index == Index::kHigher)
      index += fmt::format(" (locally {})", *p_.local_index);
    line("  {}", index);
    if (c.index == Index::kSingular) {
      list("  stopped: the pencil s dF/dx' + dF/dx is singular; dependent equations:",
           names(c.pencil.dependent));
      return;
    }
    if (!c.pencil.is_regular)
      list("  undecided: the pencil is singular at this time; dependent equations:",
           names(c.pencil.dependent));
    line("  subsystem: index {}; {} differential equations, {} index-1 and {} index-2 constraints",
         index_name(subsystem_index(c)), c.differential_equations.size(), c.index1.size(),
         c.index2.size());
  }

  void write_differential() {
    list("differential equations:", names(p_.combined.differential_equations));
    list("differential variables:", names(p_.combined.differential_variables));
  }

  void write_transformations() {
    for (const Transformation& block : p_.combined.transformations) {
      list("transformed by singular values, equations:", names(block.equations));
      list("  variables:", names(block.variables));
      line("  singular values: {:.4g}", fmt::join(block.singular_values, ", "));
      line("  below, these names mean combinations, in the order of the singular values");
    }
  }

  void write_constraints() {
    std::size_t count = 0;
    for (const Decision& decision : p_.combined.decisions) {
      if (++count > kMostDecisions) {
        line("... and {} more constraints", p_.combined.decisions.size() - kMostDecisions);
        return;
      }
      const bool is_taken = decision.variable.is_valid();
      if (is_taken)
        line("index {}: {} with {}{}", decision.index, name(decision.equation),
             name(decision.variable), place(decision.equation));
      else
        line("refused: {}{}", name(decision.equation), place(decision.equation));
      line("    {}", p_.equations[decision.equation.index()].text);
      line("    {}", reason(p_, decision));
    }
  }

  void write_outside_variables() {
    std::vector<VarId> outside, undecided;
    for (VarId j : ids<VarId>(p_.variables.size())) {
      if (p_.combined.variable_roles[j] == Role::kOutside) outside.push_back(j);
      if (p_.combined.variable_roles[j] == Role::kUndecided) undecided.push_back(j);
    }
    if (!outside.empty()) list("inputs of the subsystem:", names(outside));
    if (!undecided.empty()) list("undecided variables:", names(undecided));
  }

  void write_norms() {
    const LogNorms& norms = p_.combined.log_norms;
    line("logarithmic norm: {:.6g} without constraints, {:.6g} of the subsystem, limit {:.6g}",
         norms.ode, norms.final, norms.limit);
    if (norms.without_quadratures && *norms.without_quadratures != norms.final)
      line("  {:.6g} without quadratures", *norms.without_quadratures);
    if (norms.in_all_directions)
      line("  {:.6g} over all directions, also those that leave the index-2 constraints",
           *norms.in_all_directions);
  }

  void write_ranks() {
    std::size_t count = 0;
    for (const RankDecision& rank : p_.combined.ranks) {
      const bool is_trivial = rank.rows == 1 && rank.columns == 1;
      if (is_trivial || ++count > kMostRanks) continue;
      line("rank of {} ({} x {}): {}; singular values kept down to {:.2g}, dropped up to {:.2g}",
           rank.matrix, rank.rows, rank.columns, rank.rank, rank.smallest_kept,
           rank.largest_dropped);
    }
    if (count > kMostRanks) line("... and {} more ranks", count - kMostRanks);
  }

  void write_points() {
    if (p_.points.size() < 2) return;
    line("times together:");
    for (const Partition& point : p_.points) {
      line("  t = {}: index {}, {} index-1 and {} index-2 constraints", point.t,
           index_name(point.index), point.index1.size(), point.index2.size());
    }
    if (p_.combination.is_consistent) line("  the lists fit together: their union is the answer");
    for (const std::string& conflict : p_.combination.conflicts)
      line("  not one answer: {}", conflict);
    if (!p_.combination.singular_times.empty())
      line("  singular at t = {}", fmt::join(p_.combination.singular_times, ", "));
  }

  void write_structure() {
    const StructuralAnswer& s = p_.structural;
    if (!s.is_applicable) {
      line("structure (Sigma-method): not applicable, {}", s.explanation);
      return;
    }
    line("structure (Sigma-method): index {}{}; {}", s.index,
         s.is_jacobian_singular ? ", system Jacobian singular" : "", s.explanation);
  }

  const ModelPartition& p_;
  std::string out_;
};

}  // namespace

std::string to_text(const ModelPartition& partition) { return TextReport(partition).write(); }

}  // namespace hydae::partition
