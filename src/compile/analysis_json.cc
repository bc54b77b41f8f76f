// The analysis as JSON, for programs. The names of the fields are a contract.
#include <nlohmann/json.hpp>

#include <hydae/analyze.h>

namespace hydae {
namespace {

using Json = nlohmann::ordered_json;

Json block_json(const AnalyzedBlock& block) {
  return {{"equations", block.equations},
          {"variables", block.variables},
          {"c", block.c},
          {"d", block.d},
          {"quasilinear", block.quasilinear},
          {"coarse_block", block.coarse_block}};
}

Json part_json(const Part& part) {
  return {{"equations", part.equations}, {"variables", part.variables}};
}

Json jacobian_json(const JacobianCheck& jacobian) {
  static const char* const kNames[] = {"regular", "singular", "not evaluated"};
  Json json = {{"status", kNames[static_cast<int>(jacobian.status)]}};
  if (jacobian.status == JacobianCheck::Status::kRegular) json["condition"] = jacobian.condition;
  if (jacobian.status == JacobianCheck::Status::kSingular)
    json["singular_blocks"] = jacobian.singular_blocks;
  return json;
}

Json stage_json(const Stage& stage) {
  Json blocks = Json::array();
  for (const StageBlock& block : stage.blocks)
    blocks.push_back({{"block", block.block},
                      {"equations", block.equations},
                      {"unknowns", block.unknowns},
                      {"linear", block.is_linear}});
  return {{"k", stage.k}, {"blocks", blocks}};
}

template <class Items, class F>
Json array_of(const Items& items, F&& to_item) {
  Json json = Json::array();
  for (const auto& item : items) json.push_back(to_item(item));
  return json;
}

const char* method_name(Repair::Method method) {
  switch (method) {
    case Repair::Method::kLinearCombination: return "linear combination";
    case Repair::Method::kExpressionSubstitution: return "expression substitution";
    case Repair::Method::kAugmentation: return "augmentation";
  }
  return "";
}

Json repair_json(const Repair& repair) {
  return {{"method", method_name(repair.method)}, {"description", repair.description}};
}

}  // namespace

std::string to_json(const Analysis& a) {
  Json json;
  json["model"] = a.model;
  json["inputs"] = a.inputs;
  json["outputs"] = a.outputs;
  json["equations"] = a.equations;
  json["variables"] = a.variables;
  if (!a.equation_texts.empty()) json["text"] = a.equation_texts;
  if (!a.equation_places.empty()) json["source"] = a.equation_places;
  if (!a.mode.empty())
    for (const auto& [relation, truth] : a.mode) json["mode"][relation] = truth;
  json["signature"] = array_of(a.signature, [](const SignatureEntry& entry) {
    return Json{entry.equation, entry.variable, entry.order};
  });
  json["transversal"] = a.transversal;
  json["second_transversal"] = a.second_transversal;
  json["c"] = a.c;
  json["d"] = a.d;
  json["index"] = a.index;
  json["dof"] = a.degrees_of_freedom;
  json["well_posed"] = a.well_posed;
  json["blocks"] = array_of(a.blocks, block_json);
  json["initial_values"] = array_of(a.initial_values, [&](const InitialValue& value) {
    return Json{{"variable", a.variables[static_cast<std::size_t>(value.variable)]},
                {"orders", value.orders}};
  });
  json["constraints"] = array_of(a.constraints, [&](const ConstraintOrders& constraint) {
    return Json{{"equation", a.equations[static_cast<std::size_t>(constraint.equation)]},
                {"orders", constraint.orders}};
  });
  json["stages"] = array_of(a.stages, stage_json);
  json["jacobian"] = jacobian_json(a.jacobian);
  if (!a.system_jacobian.empty())
    json["system_jacobian"] = array_of(a.system_jacobian, [](const SystemJacobianEntry& entry) {
      return Json{{"equation", entry.equation},
                  {"variable", entry.variable},
                  {"order", entry.order},
                  {"text", entry.text},
                  {"value", entry.value}};
    });
  if (!a.system_jacobian.empty())
    json["moved"] = array_of(a.moved, [](const MovedStart& start) {
      return Json{{"variable", start.variable},
                  {"from", start.from},
                  {"to", start.to},
                  {"because", start.because}};
    });
  json["repairs"] = array_of(a.repairs, repair_json);
  json["pantelides"] = {{"differentiations", a.differentiations}};
  json["diagnosis"] = {{"under", part_json(a.diagnosis.under)},
                       {"over", part_json(a.diagnosis.over)},
                       {"well", part_json(a.diagnosis.well)}};
  return json.dump(1) + "\n";
}

}  // namespace hydae
