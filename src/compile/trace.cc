// The steps of structural algorithms, with the names of the model.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <hydae/analyze.h>

#include "base/derivative_name.h"
#include "compile/analyzed_system.h"
#include "compile/given_point.h"
#include "compile/ill_posed_report.h"
#include "compile/start_relations.h"
#include "compile/state_selector.h"
#include "structure/textbook.h"

namespace hydae {
namespace {

// Level by level: of the equations that are differentiated more than s times, as many derivatives
// x_j^(d_j - s) become dummies as there are equations.
class DummyTrace {
 public:
  DummyTrace(const AnalyzedSystem& prepared, const structure::StateSelection& selection)
      : p_(prepared), selection_(selection) {}

  std::string write() {
    for (BlockId block : ids<BlockId>(p_.structure.fine.size())) write_block(block);
    if (text_.empty()) line("no equation is differentiated: all highest derivatives are unknowns");
    std::vector<std::string> states, dummies;
    for (const auto& [var, order] : selection_.states()) states.push_back(name(var, order));
    for (const auto& [var, order] : selection_.dummies(p_.structure.offsets))
      dummies.push_back(name(var, order));
    line("states: {}", fmt::join(states, ", "));
    line("dummy derivatives: {}", fmt::join(dummies, ", "));
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  std::string name(VarId var, int order) const {
    return derivative_name(p_.system.unknown_names[var], order);
  }

  void write_block(BlockId block) {
    int most = 0;
    for (EqId eq : p_.structure.fine.eqs(block)) most = std::max(most, p_.structure.offsets.c[eq]);
    for (int level = 0; level < most; ++level) write_level(block, level);
  }

  bool is_chosen(VarId var, int level) const {
    return p_.structure.offsets.d[var] - level > selection_.num_states[var];
  }

  // Candidates are those that were chosen one level above.
  void write_level(BlockId block, int level) {
    const structure::Offsets& offsets = p_.structure.offsets;
    std::vector<std::string> equations, candidates, chosen;
    for (EqId eq : p_.structure.fine.eqs(block))
      if (offsets.c[eq] > level)
        equations.push_back(derivative_name(p_.system.equation_names[eq], offsets.c[eq] - level));
    for (VarId var : p_.structure.fine.vars(block)) {
      if (level > 0 && !is_chosen(var, level - 1)) continue;
      candidates.push_back(name(var, offsets.d[var] - level));
      if (is_chosen(var, level)) chosen.push_back(candidates.back());
    }
    line("level {}: {} of {} for {}", level, equations.size(), fmt::join(candidates, ", "),
         fmt::join(equations, ", "));
    line("  dummies: {}", fmt::join(chosen, ", "));
  }

  const AnalyzedSystem& p_;
  const structure::StateSelection& selection_;
  std::string text_;
};

std::string trace_dummies(const AnalyzedSystem& prepared, const GivenPoint& point) {
  require_well_posed(prepared);
  const structure::StateSelection selection =
      StateSelector(prepared).select({.time = point.time(),
                                      .parameters = point.parameters(),
                                      .value = [&](Leaf leaf) { return point.value(leaf); },
                                      .pre = [&](Leaf leaf) { return point.pre(leaf); }});
  return DummyTrace(prepared, selection).write();
}

std::string legend_of(const AnalyzedSystem& prepared) {
  std::string text;
  for (EqId eq : ids<EqId>(prepared.system.residuals.size()))
    text += fmt::format("{}: 0 = {}\n", prepared.system.equation_names[eq],
                        prepared.system.to_string(prepared.system.residuals[eq]));
  return text;
}

}  // namespace

std::string trace(const Model& given, Trace algorithm, const AnalyzeOptions& options) {
  const Model model = given.extended();  // what is added is not the model's
  const AnalyzedSystem prepared =
      analyze_system(model, mode_of(model, options), {options.check_jacobian, options.repair});
  const structure::TextbookNames names{prepared.system.equation_names,
                                       prepared.system.unknown_names};
  const std::string legend = legend_of(prepared);
  switch (algorithm) {
    case Trace::kMatching: return legend + structure::trace_matching(prepared.sigma, names);
    case Trace::kBlt: return legend + structure::trace_sorting(prepared.sigma, names);
    case Trace::kPantelides:
      return legend + structure::trace_pantelides(prepared.sigma, names).text;
    case Trace::kDummy: break;
  }
  return legend + trace_dummies(prepared, GivenPoint(model, options.point));
}

}  // namespace hydae
