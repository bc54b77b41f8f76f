// The analysis of a model as plain data.
#include <algorithm>
#include <numeric>

#include <hydae/analyze.h>

#include "compile/analyzed_system.h"
#include "compile/given_point.h"
#include "compile/ill_posed_report.h"
#include "compile/start_relations.h"
#include "expr/derivative.h"
#include "structure/pantelides.h"
#include "structure/scheme.h"
#include "structure/second_transversal.h"

namespace hydae {
namespace {

constexpr std::size_t kMostTexts = 1000;  // equations that are printed into the result

constexpr double kMostDifferentiations = 1e6;      // beyond, Pantelides' algorithm is left out
constexpr std::size_t kMostStageBlocks = 200'000;  // beyond, the scheme is left out

template <class I>
std::vector<int> numbers(std::span<const I> list) {
  std::vector<int> result;
  result.reserve(list.size());
  for (I id : list) result.push_back(static_cast<int>(id.index()));
  return result;
}

Part part_of(const structure::SystemPart& part) {
  return {numbers<EqId>(part.eqs), numbers<VarId>(part.vars)};
}

void describe_system(const AnalyzedSystem& p, Analysis& result) {
  result.equations = p.system.equation_names.raw();
  result.variables = p.system.unknown_names.raw();
  if (p.system.residuals.size() <= kMostTexts)
    for (NodeId residual : p.system.residuals)
      result.equation_texts.push_back("0 = " + p.system.to_string(residual));
  if (p.system.model->sources)
    for (const SourceRange& source : p.system.equation_sources)
      result.equation_places.push_back(p.system.model->sources->place(source));
  for (EqId eq : ids<EqId>(p.sigma.num_eqs()))
    for (const auto& [var, order] : p.sigma.row(eq))
      result.signature.push_back(
          {static_cast<int>(eq.index()), static_cast<int>(var.index()), order});
  const structure::DulmageMendelsohn& dm = p.structure.diagnosis;
  result.diagnosis = {part_of(dm.under), part_of(dm.well), part_of(dm.over)};
  result.well_posed = p.structure.is_well_posed && p.system.model->num_variables() > 0;
}

void describe_blocks(const AnalyzedSystem& p, const structure::SolutionScheme& scheme,
                     Analysis& result) {
  const structure::Analysis& s = p.structure;
  for (BlockId b : ids<BlockId>(s.fine.size())) {
    AnalyzedBlock block;
    block.equations = numbers(s.fine.eqs(b));
    block.variables = numbers(s.fine.vars(b));
    block.quasilinear = scheme.is_quasilinear(b);
    for (EqId eq : s.fine.eqs(b)) block.c.push_back(s.local.c[eq]);
    for (VarId var : s.fine.vars(b)) block.d.push_back(s.local.d[var]);
    block.coarse_block = static_cast<int>(s.coarse.block_of(s.fine.eqs(b).front()).index());
    result.blocks.push_back(std::move(block));
  }
}

std::vector<int> orders_below(int end) {
  std::vector<int> orders(static_cast<std::size_t>(end));
  std::iota(orders.begin(), orders.end(), 0);
  return orders;
}

// Initial values by the local offsets of a block, constraints by the global ones (DAESA's rule):
// what an earlier block needs differentiated more often is not the user's concern.
void describe_initial_data(const AnalyzedSystem& p, const structure::SolutionScheme& scheme,
                           Analysis& result) {
  for (VarId var : ids<VarId>(p.sigma.num_vars()))
    if (const int end = scheme.num_initial_values(var); end > 0)
      result.initial_values.push_back({static_cast<int>(var.index()), orders_below(end)});
  for (EqId eq : ids<EqId>(p.sigma.num_eqs()))
    if (const int end = scheme.num_constraints(eq); end > 0)
      result.constraints.push_back({static_cast<int>(eq.index()), orders_below(end)});
}

StageBlock stage_block(const structure::BlockStage& solved) {
  StageBlock block;
  block.block = static_cast<int>(solved.block.index());
  block.is_linear = solved.is_linear;
  for (const auto& [eq, order] : solved.eqs)
    block.equations.emplace_back(static_cast<int>(eq.index()), order);
  for (const auto& [var, order] : solved.unknowns)
    block.unknowns.emplace_back(static_cast<int>(var.index()), order);
  return block;
}

void describe_stages(const structure::SolutionScheme& scheme, std::size_t num_blocks,
                     Analysis& result) {
  const int first = scheme.first_stage();
  if (static_cast<std::size_t>(1 - first) * num_blocks > kMostStageBlocks) return;
  for (int k = first; k <= 0; ++k) {
    Stage stage;
    stage.k = k;
    for (const structure::BlockStage& block : scheme.stage(k))
      stage.blocks.push_back(stage_block(block));
    result.stages.push_back(std::move(stage));
  }
}

void describe_jacobian(const AnalyzedSystem& p, Analysis& result) {
  JacobianCheck& check = result.jacobian;
  if (!p.jacobian.is_evaluated()) return;
  check.condition = p.jacobian.condition;
  check.status = p.jacobian.singular_blocks.empty() ? JacobianCheck::Status::kRegular
                                                    : JacobianCheck::Status::kSingular;
  for (const SingularBlock& block : p.jacobian.singular_blocks)
    check.singular_blocks.push_back(static_cast<int>(block.block.index()));
}

// Symbolic, and evaluated at the point.
void describe_system_jacobian(const AnalyzedSystem& p, const GivenPoint& point, Analysis& result) {
  const structure::Offsets& offsets = p.structure.offsets;
  std::vector<NodeId> derivatives;
  for (EqId eq : ids<EqId>(p.sigma.num_eqs()))
    for (const auto& [var, order] : p.sigma.row(eq)) {
      if (order != offsets.d[var] - offsets.c[eq]) continue;
      derivatives.push_back(
          partial(p.system.graph(), p.system.residuals[eq], {p.system.unknowns[var], order}));
      result.system_jacobian.push_back({static_cast<int>(eq.index()), static_cast<int>(var.index()),
                                        order, p.system.to_string(derivatives.back()), 0});
    }
  const std::vector<double> values = point.evaluate(derivatives);
  for (std::size_t k = 0; k < values.size(); ++k) result.system_jacobian[k].value = values[k];
}

void describe_structure(const AnalyzedSystem& p, Analysis& result) {
  const structure::Analysis& s = p.structure;
  for (EqId eq : ids<EqId>(p.sigma.num_eqs()))
    result.transversal.push_back(static_cast<int>(s.transversal.matching.eq_to_var[eq].index()));
  if (const auto second = structure::find_second_transversal(p.sigma, s))
    result.second_transversal = numbers<VarId>(second->eq_to_var.raw());
  result.c = s.offsets.c.raw();
  result.d = s.offsets.d.raw();
  result.index = s.index;
  result.degrees_of_freedom = static_cast<int>(s.dof);
  result.repairs = p.repairs;
  const structure::SolutionScheme scheme(s, p.nonlinear);
  describe_blocks(p, scheme, result);
  describe_initial_data(p, scheme, result);
  describe_stages(scheme, s.fine.size(), result);
  describe_jacobian(p, result);
  // Its cost grows with the sum of the offsets.
  if (std::accumulate(result.c.begin(), result.c.end(), 0.0) <= kMostDifferentiations)
    if (const auto pantelides = structure::find_pantelides(p.sigma))
      result.differentiations = pantelides->num_differentiations.raw();
}

std::vector<bool> choose_mode(const Model& model, const AnalyzeOptions& options, Analysis& result) {
  const std::vector<bool> mode = mode_of(model, options);
  const std::vector<std::string> texts = relation_texts(model);
  for (std::size_t k = 0; k < mode.size(); ++k) result.mode.emplace_back(texts[k], mode[k]);
  return mode;
}

}  // namespace

Analysis analyze(const Model& given, const AnalyzeOptions& options) {
  const Model model = given.extended();  // what is added is not the model's
  Analysis result;
  result.model = model.name();
  for (const ModelInput& input : model.inputs()) result.inputs.push_back(input.name);
  result.outputs = model.outputs();
  const AnalyzedSystem prepared = analyze_system(model, choose_mode(model, options, result),
                                                 {options.check_jacobian, options.repair});
  describe_system(prepared, result);
  result.is_at_point = !options.point.empty();
  result.moved = options.moved;
  if (result.well_posed) describe_structure(prepared, result);
  if (result.well_posed && options.show_jacobian)
    describe_system_jacobian(prepared, GivenPoint(model, options.point), result);
  report_ill_posed(prepared, result.diagnostics);
  report_singular_jacobian(prepared, result.diagnostics);
  return result;
}

}  // namespace hydae
