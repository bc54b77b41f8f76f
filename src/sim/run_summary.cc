#include "sim/run_summary.h"

#include <algorithm>
#include <fmt/format.h>

namespace hydae {
namespace {

constexpr std::size_t kMostNamesUnseen = 5;

void report_scales(RunParts& parts) {
  const VariableScales& scales = parts.workspaces.scales();
  parts.report.summary().scales = scales.derived();
  std::vector<std::string> names = scales.never_seen();
  if (names.empty()) return;
  const std::string others = names.size() > kMostNamesUnseen
                                 ? fmt::format(" and {} more", names.size() - kMostNamesUnseen)
                                 : "";
  names.resize(std::min(names.size(), kMostNamesUnseen));
  parts.report.warn(
      fmt::format("never larger than the absolute tolerance, and so not resolved: {}{}; give a "
                  "nominal value, or a smaller --atol",
                  quoted_list(names), others));
}

// What the solution is heading for, in the warnings, or in the message of a run that failed there.
void report_singularity(const SingularityWatch::Forecast& forecast, const CompiledMode& mode,
                        Summary& summary) {
  const VarId column(static_cast<std::size_t>(forecast.variable));
  summary.singularity = SingularityForecast{forecast.t, mode.prepared.system.unknown_names[column],
                                            forecast.exponent};
  const std::string text = fmt::format(
      "the solution seems to have a singularity at t = {:.7g}: `{}` behaves like (t - time)^{:.2g}",
      forecast.t, summary.singularity->variable, -forecast.exponent);
  if (summary.succeeded())
    summary.warnings.push_back(text);
  else
    summary.message += "\n   " + text;
}

void report_rows(const Recorder& recorder, RunReport& report) {
  for (const std::string& warning : recorder.warnings()) report.warn_once(warning);
  if (report.succeeded() && !recorder.undefined().empty())
    report.fail({Status::kUndefinedValues,
                 fmt::format("the results are not all numbers: {}", recorder.undefined())});
}

}  // namespace

void complete_summary(RunParts& parts, const ActiveSolution& active,
                      const SingularityWatch& singularity) {
  Summary& summary = parts.report.summary();
  parts.workspaces.add_counters(summary);
  report_scales(parts);
  summary.modes_visited = std::max<int>(1, static_cast<int>(summary.modes.size()));
  summary.max_dropped_residual = parts.checks.largest_implied_residual();
  summary.mode_cache_hits = parts.modes.num_hits();
  if (const auto forecast = singularity.forecast())
    report_singularity(*forecast, active.mode(), summary);
  report_rows(parts.rows.recorder(), parts.report);
}

}  // namespace hydae
