#include "modelica/expressions/builtin_functions.h"

#include <fmt/format.h>
#include <set>
#include <unordered_map>

#include "modelica/expressions/builtin_call.h"
#include "ops/operation.h"

namespace hydae::modelica {
namespace builtin {
namespace {

using Handler = Value (*)(const Call&);

const std::unordered_map<std::string, Handler>& handlers() {
  static const std::unordered_map<std::string, Handler> kOthers = {
      {"der", &der},
      {"pre", &pre},
      {"edge", &edge},
      {"change", &change},
      {"initial", &initial},
      {"terminal", &terminal},
      {"sample", &sample},
      {"noEvent", &no_event},
      {"smooth", &smooth},
      {"semiLinear", &semi_linear},
      {"homotopy", &homotopy},
      {"delay", &delay},
      {"cardinality", &cardinality},
      {"getInstanceName", &get_instance_name},
      {"rooted", &rooted},
      {"inStream", &in_stream},
      {"actualStream", &actual_stream},
      {"spatialDistribution", &unsupported},
      {"previous", &unsupported},
      {"hold", &unsupported},
      {"Clock", &unsupported},
      {"subSample", &unsupported},
      {"superSample", &unsupported},
      {"shiftSample", &unsupported},
      {"backSample", &unsupported},
      {"noClock", &unsupported},
      {"interval", &unsupported},
      {"firstTick", &unsupported},
      {"div", &math},
      {"mod", &math},
      {"rem", &math},
      {"ceil", &math},
      {"floor", &math},
      {"integer", &math},
      {"Integer", &to_integer},
      {"String", &to_string},
      {"size", &size},
      {"ndims", &ndims},
      {"zeros", &zeros},
      {"ones", &ones},
      {"fill", &fill},
      {"identity", &identity},
      {"linspace", &linspace},
      {"cat", &cat},
      {"array", &array},
      {"promote", &promote},
      {"min", &reduction},
      {"max", &reduction},
      {"sum", &reduction},
      {"product", &reduction},
      {"diagonal", &one_array},
      {"transpose", &one_array},
      {"symmetric", &one_array},
      {"skew", &one_array},
      {"scalar", &one_array},
      {"vector", &one_array},
      {"matrix", &one_array},
      {"cross", &two_arrays},
      {"outerProduct", &two_arrays},
  };
  static const std::unordered_map<std::string, Handler> kAll = [] {
    auto all = kOthers;
    for (const ops::Entry& entry : ops::entries())
      if (entry.is_builtin) all.emplace(entry.name, &math);
    return all;
  }();
  return kAll;
}

// Operators about time, events or connections: a function has none of these (12.2).
bool needs_a_model(const std::string& name) {
  static const std::set<std::string> kNames = {
      "der",   "pre",         "edge",     "change",       "initial", "terminal",           "sample",
      "delay", "cardinality", "inStream", "actualStream", "rooted",  "spatialDistribution"};
  return kNames.contains(name);
}

}  // namespace
}  // namespace builtin

bool is_builtin(const std::string& name) { return builtin::handlers().contains(name); }

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& [name, handler] : builtin::handlers()) names.push_back(name);
  return names;
}

Value call_builtin(Session& session, const std::string& name, const syntax::CallExpr& call,
                   const Env& env) {
  if (env.frame != nullptr && env.frame->function != nullptr && builtin::needs_a_model(name))
    session.fail("misplaced-call", fmt::format("`{}` cannot stand in a function", name),
                 call.range);
  return builtin::handlers().at(name)({session, name, call, env});
}

}  // namespace hydae::modelica
