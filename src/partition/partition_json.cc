// The report of a partition for programs; docs/guide/partition.md lists the fields.
#include <nlohmann/json.hpp>

#include <hydae/partition.h>

#include "partition/report_words.h"

namespace hydae::partition {

namespace {

using Json = nlohmann::ordered_json;

class JsonReport {
 public:
  explicit JsonReport(const ModelPartition& p) : p_(p) {}

  Json write() const {
    Json json = {{"model", p_.model}};
    json.update(partition(p_.combined));
    json["index"] = index_value(p_.given_index);
    json["subsystem_index"] = index_value(subsystem_index(p_.combined));
    json["local_index"] = p_.local_index ? Json(*p_.local_index) : Json();
    json["equations"] = equations();
    json["structural"] = structural();
    if (p_.points.size() > 1) {
      json["times"] = Json::array();
      json["points"] = Json::array();
      for (const Partition& point : p_.points) {
        json["times"].push_back(point.t);
        json["points"].push_back(partition(point));
      }
      json["combination"] = combination();
    }
    json["moved"] = Json::array();
    for (const MovedStart& start : p_.moved)
      json["moved"].push_back({{"variable", start.variable},
                               {"from", start.from},
                               {"to", start.to},
                               {"because", start.because}});
    json["assumed_zero"] = p_.assumed_zero;
    return json;
  }

 private:
  const std::string& name(EqId i) const { return p_.equations[i.index()].name; }
  const std::string& name(VarId j) const { return p_.variables[j.index()].name; }

  template <class IdType>
  Json names(const std::vector<IdType>& ids) const {
    Json list = Json::array();
    for (IdType id : ids) list.push_back(name(id));
    return list;
  }

  static Json index_value(Index index) {
    if (index <= Index::kTwo) return static_cast<int>(index);
    return index_name(index);
  }

  Json pairs(const std::vector<Pair>& pairs) const {
    Json equations = Json::array(), variables = Json::array();
    for (const Pair& pair : pairs) {
      equations.push_back(name(pair.equation));
      variables.push_back(name(pair.variable));
    }
    return {{"equations", equations}, {"variables", variables}};
  }

  Json rejected(const Partition& p) const {
    Json equations = Json::array(), variables = Json::array();
    for (const Decision& decision : p.decisions) {
      if (!decision.variable.is_valid()) equations.push_back(name(decision.equation));
    }
    for (VarId j : ids<VarId>(p.variable_roles.size())) {
      const Role role = p.variable_roles[j];
      if (role == Role::kOutside || role == Role::kUndecided) variables.push_back(name(j));
    }
    return {{"equations", equations}, {"variables", variables}};
  }

  Json partition(const Partition& p) const {
    return {{"t", p.t},
            {"differential",
             {{"equations", names(p.differential_equations)},
              {"variables", names(p.differential_variables)}}},
            {"index1", pairs(p.index1)},
            {"index2", pairs(p.index2)},
            {"rejected", rejected(p)},
            {"transformed", p.is_transformed()},
            {"index", index_value(p.index)},
            {"log_norm", norms(p.log_norms)},
            {"decisions", decisions(p)},
            {"transformations", transformations(p)},
            {"ranks", ranks(p)},
            {"pencil",
             {{"regular", p.pencil.is_regular},
              {"margin", p.pencil.margin},
              {"dependent", names(p.pencil.dependent)},
              {"permanent", p.pencil.is_permanent}}}};
  }

  static Json norms(const LogNorms& norms) {
    return {
        {"ode", norms.ode},
        {"steps", norms.steps},
        {"checks", norms.checks},
        {"final", norms.final},
        {"limit", norms.limit},
        {"without_quadratures",
         norms.without_quadratures ? Json(*norms.without_quadratures) : Json()},
        {"in_all_directions", norms.in_all_directions ? Json(*norms.in_all_directions) : Json()}};
  }

  Json decisions(const Partition& p) const {
    Json list = Json::array();
    for (const Decision& d : p.decisions) {
      Json attempts = Json::array();
      for (const Attempt& a : d.attempts) attempts.push_back(attempt(a));
      list.push_back({{"equation", name(d.equation)},
                      {"outcome", outcome_name(d.outcome)},
                      {"variable", d.variable.is_valid() ? Json(name(d.variable)) : Json()},
                      {"index", d.index > 0 ? Json(d.index) : Json()},
                      {"removed_at_check_back", d.removed_at_check_back},
                      {"in_limited_search", d.in_limited_search},
                      {"largest_refused_pivot", d.largest_refused_pivot},
                      {"attempts", attempts},
                      {"reason", reason(p_, d)}});
    }
    return list;
  }

  Json attempt(const Attempt& a) const {
    const Stability& s = a.stability;
    return {{"variable", name(a.variable)},
            {"index", a.index},
            {"pivot", a.pivot},
            {"relative_pivot", a.relative_pivot},
            {"accepted", s.accepted},
            {"rule", rule_name(s.rule)},
            {"before", s.before},
            {"estimate", s.estimate},
            {"exact", s.exact ? Json(*s.exact) : Json()},
            {"limit", s.limit},
            {"k", s.k},
            {"k_least", s.k_least}};
  }

  Json transformations(const Partition& p) const {
    Json list = Json::array();
    for (const Transformation& t : p.transformations) {
      list.push_back({{"equations", names(t.equations)},
                      {"variables", names(t.variables)},
                      {"left", t.left},
                      {"right", t.right},
                      {"singular_values", t.singular_values}});
    }
    return list;
  }

  static Json ranks(const Partition& p) {
    Json list = Json::array();
    for (const RankDecision& r : p.ranks) {
      list.push_back({{"matrix", r.matrix},
                      {"rows", r.rows},
                      {"columns", r.columns},
                      {"rank", r.rank},
                      {"smallest_kept", r.smallest_kept},
                      {"largest_dropped", r.largest_dropped}});
    }
    return list;
  }

  Json equations() const {
    Json list = Json::array();
    for (const SystemEquation& e : p_.equations) {
      static constexpr const char* kKinds[] = {"given", "definition", "auxiliary"};
      list.push_back({{"name", e.name},
                      {"kind", kKinds[static_cast<int>(e.kind)]},
                      {"differentiations", e.differentiations},
                      {"text", e.text},
                      {"source", e.place}});
      if (!e.excess.empty()) list.back()["excess"] = e.excess;
    }
    return list;
  }

  Json structural() const {
    const StructuralAnswer& s = p_.structural;
    return {{"applicable", s.is_applicable},
            {"index", s.is_applicable ? Json(s.index) : Json()},
            {"c", s.c},
            {"jacobian_singular", s.is_jacobian_singular},
            {"agrees", s.agrees},
            {"explanation", s.explanation}};
  }

  Json combination() const {
    return {{"consistent", p_.combination.is_consistent},
            {"deciding_t", p_.points[p_.combination.deciding_point].t},
            {"conflicts", p_.combination.conflicts},
            {"singular_times", p_.combination.singular_times}};
  }

  const ModelPartition& p_;
};

}  // namespace

std::string to_json(const ModelPartition& partition) {
  return JsonReport(partition).write().dump(1) + "\n";
}

}  // namespace hydae::partition
