#include "compile/ill_posed_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "expr/evaluate.h"
#include "expr/incidence.h"

namespace hydae {
namespace {

class DefectReport {
 public:
  DefectReport(const System& system, const structure::SignatureMatrix& sigma,
               const structure::Analysis& structure, Diagnostics& diagnostics)
      : system_(system), sigma_(sigma), dm_(structure.diagnosis), diagnostics_(diagnostics) {}

  void make() {
    report_equations_without_unknowns();
    report_unused_variables();
    report_part(dm_.under, dm_.over);
  }

 private:
  const std::string& name(EqId eq) const { return system_.equation_names[eq]; }
  const std::string& name(VarId var) const { return system_.unknown_names[var]; }

  template <class I>
  std::string names(const std::vector<I>& list) const {
    std::vector<std::string> texts;
    for (I id : list) texts.push_back(name(id));
    return quoted_list(texts);
  }

  SourceRange source(VarId var) const {
    const VarId variable = system_.unknowns[var];
    return variable.index() < system_.model->num_variables()
               ? system_.model->all_variables()[variable].source
               : SourceRange{};
  }

  void report_equations_without_unknowns() {
    for (EqId eq : ids<EqId>(sigma_.num_eqs())) {
      if (!sigma_.row(eq).empty()) continue;
      Diagnostic& d = diagnostics_.error("equation-without-unknowns",
                                         fmt::format("equation `{}` contains no unknown", name(eq)),
                                         system_.equation_sources[eq]);
      d.label = "0 = " + system_.to_string(system_.residuals[eq]);
      d.help = is_always_true(eq) ? "it is always true: remove it"
                                  : "it determines nothing: remove it or let it contain an unknown";
    }
  }

  bool is_always_true(EqId eq) const {
    return system_.graph().is_constant(system_.residuals[eq], 0.0);
  }

  void report_unused_variables() {
    for (VarId var : ids<VarId>(sigma_.num_vars())) {
      if (!sigma_.column(var).empty()) continue;
      Diagnostic& d = diagnostics_.error(
          "unused-variable", fmt::format("variable `{}` occurs in no equation", name(var)),
          source(var));
      d.help = "remove it or add an equation for it";
    }
  }

  // Of a part only what has not been said yet.
  template <class I, class IsSaid>
  static std::vector<I> rest(const std::vector<I>& list, IsSaid is_said) {
    std::vector<I> result;
    std::copy_if(list.begin(), list.end(), std::back_inserter(result),
                 [&](I id) { return !is_said(id); });
    return result;
  }

  void report_part(const structure::SystemPart& under, const structure::SystemPart& over) {
    const auto under_vars = rest(under.vars, [&](VarId v) { return sigma_.column(v).empty(); });
    const auto over_eqs = rest(over.eqs, [&](EqId e) { return sigma_.row(e).empty(); });
    if (under_vars.size() > under.eqs.size()) report_under(under, under_vars);
    if (over_eqs.size() > over.vars.size()) report_over(over, over_eqs);
  }

  void report_under(const structure::SystemPart& part, const std::vector<VarId>& vars) {
    const std::vector<VarId> free =
        rest(vars, [&](VarId v) { return dm_.matching.var_to_eq[v].is_valid(); });
    Diagnostic& d = diagnostics_.error(
        "too-few-equations",
        fmt::format("{} equation{} cannot determine {} unknown{}", part.eqs.size(),
                    part.eqs.size() == 1 ? "" : "s", vars.size(), vars.size() == 1 ? "" : "s"),
        free.empty() ? SourceRange{} : source(free.front()));
    d.label = fmt::format("nothing determines {} (found by matching; other choices are possible)",
                          names(free));
    if (!part.eqs.empty()) d.notes.push_back({"the equations are " + names(part.eqs), {}});
    d.notes.push_back({"the unknowns are " + names(vars), {}});
    d.help = fmt::format("add {} equation{} for them", free.size(), free.size() == 1 ? "" : "s");
  }

  void report_over(const structure::SystemPart& part, const std::vector<EqId>& eqs) {
    const std::vector<EqId> free =
        rest(eqs, [&](EqId e) { return dm_.matching.eq_to_var[e].is_valid(); });
    Diagnostic& d =
        diagnostics_.error("too-many-equations",
                           fmt::format("{} equations for {} unknown{}", eqs.size(),
                                       part.vars.size(), part.vars.size() == 1 ? "" : "s"),
                           free.empty() ? SourceRange{} : system_.equation_sources[free.front()]);
    d.label = fmt::format(
        "no unknown is left for {} (found by matching; other choices are possible)", names(free));
    d.notes.push_back({"the equations are " + names(eqs), {}});
    if (!part.vars.empty()) d.notes.push_back({"the unknowns are " + names(part.vars), {}});
    d.help = fmt::format("remove {} of the equations", free.size());
  }

  const System& system_;
  const structure::SignatureMatrix& sigma_;
  const structure::DulmageMendelsohn& dm_;
  Diagnostics& diagnostics_;
};

}  // namespace

// Differences through code go twice, not further.
static void report_deep_calls(const AnalyzedSystem& prepared, Diagnostics& diagnostics) {
  constexpr int kMostDifferentiations = 2;
  const System& system = prepared.system;
  for (EqId eq : ids<EqId>(system.residuals.size())) {
    const int count = prepared.structure.offsets.c[eq];
    if (count <= kMostDifferentiations ||
        !contents(system.graph(), std::span(&system.residuals[eq], 1)).has_calls)
      continue;
    diagnostics
        .error("external-too-deep",
               fmt::format("equation `{}` must be differentiated {} times, but contains a function "
                           "that exists as code only",
                           system.equation_names[eq], count),
               system.equation_sources[eq])
        .help = "two times is the limit; write the function as equations";
  }
}

void report_ill_posed(const AnalyzedSystem& prepared, Diagnostics& diagnostics) {
  const bool is_continuous = prepared.sigma.num_eqs() > 0 || prepared.sigma.num_vars() > 0;
  if (!is_continuous) {
    // A model of discrete variables only is one, too.
    if (prepared.system.model->num_variables() > 0) return;
    diagnostics.error("empty-model", fmt::format("model `{}` has no equations and no unknowns",
                                                 prepared.system.model->name()));
  } else if (!prepared.structure.is_well_posed) {
    DefectReport(prepared.system, prepared.sigma, prepared.structure, diagnostics).make();
  } else {
    report_deep_calls(prepared, diagnostics);
  }
}

void report_singular_jacobian(const AnalyzedSystem& prepared, Diagnostics& diagnostics) {
  const System& system = prepared.system;
  const structure::Blocks& fine = prepared.structure.fine;
  for (const SingularBlock& singular : prepared.jacobian.singular_blocks) {
    std::vector<std::string> equations, unknowns;
    for (EqId eq : fine.eqs(singular.block)) equations.push_back(system.equation_names[eq]);
    for (VarId var : fine.vars(singular.block)) unknowns.push_back(system.unknown_names[var]);
    Diagnostic& d = diagnostics.error(
        "singular-jacobian",
        fmt::format("structural analysis fails: the system Jacobian is singular for {}",
                    quoted_list(equations)),
        system.equation_sources[fine.eqs(singular.block).front()]);
    d.notes.push_back({"solved for " + quoted_list(unknowns), {}});
    const auto is_algebraic = [&](VarId var) { return prepared.structure.offsets.d[var] == 0; };
    d.help =
        std::ranges::all_of(fine.vars(singular.block), is_algebraic)
            ? "the equations depend on each other: one follows from the others or contradicts them"
            : "leading derivatives cancel; write the equations so that the cancellation is visible";
  }
}

void require_well_posed(const AnalyzedSystem& prepared) {
  Diagnostics diagnostics;
  report_ill_posed(prepared, diagnostics);
  report_singular_jacobian(prepared, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

}  // namespace hydae
