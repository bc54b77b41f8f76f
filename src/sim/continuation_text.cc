// A curve of solutions as text and JSON.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <hydae/continuation.h>

namespace hydae {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 8;  // unknowns in a line of text

const char* name(SpecialPoint::Kind kind) {
  switch (kind) {
    case SpecialPoint::Kind::kStart: return "start";
    case SpecialPoint::Kind::kTurningPoint: return "turning point";
    case SpecialPoint::Kind::kBranchPoint: return "branch point";
    case SpecialPoint::Kind::kEnd: return "end";
  }
  return "";
}

std::string point_text(const SolutionCurve& curve, std::size_t row) {
  const Trajectory& points = curve.points;
  std::string text = fmt::format("{} = {:.10g}:", curve.parameter, points.times()[row]);
  for (std::size_t k = 0; k < std::min(kMostShown, points.columns().size()); ++k)
    text += fmt::format("{} {} = {:.10g}", k == 0 ? "" : ",", points.columns()[k].name,
                        points.value(row, k));
  return points.columns().size() > kMostShown ? text + ", ..." : text;
}

}  // namespace

std::string to_text(const SolutionCurve& curve) {
  std::string out = fmt::format(
      "solutions over {} from {:.10g} {} {:.10g}: {} points, arc length {:.4g}\n", curve.parameter,
      curve.from, curve.succeeded() ? "to" : "towards", curve.to, curve.points.num_rows(),
      curve.arc_lengths.empty() ? 0.0 : curve.arc_lengths.back());
  for (const SpecialPoint& point : curve.special_points)
    out += fmt::format("  {:<13}  {}\n", name(point.kind), point_text(curve, point.row));
  if (curve.is_closed) out += "the curve is closed\n";
  return out;
}

std::string to_json(const SolutionCurve& curve) {
  const Trajectory& points = curve.points;
  Json values = Json::object(), special = Json::array();
  for (const Column& column : points.columns()) values[column.name] = points.series(column.name);
  for (const SpecialPoint& point : curve.special_points)
    special.push_back({{"kind", name(point.kind)}, {"point", point.row}});
  const Json json = {{"status", curve.status},
                     {"message", curve.message},
                     {"parameter", curve.parameter},
                     {"from", curve.from},
                     {"to", curve.to},
                     {"closed", curve.is_closed},
                     {"parameter_values", points.times()},
                     {"arc_length", curve.arc_lengths},
                     {"values", values},
                     {"special_points", special}};
  return json.dump(1) + "\n";
}

}  // namespace hydae
