// Module: sim
// Curves of solutions of a purely algebraic model over one of its parameters, or over time: from
// the solution at one value of the parameter to another, around turning points where the parameter
// goes back, along closed curves to their start.
//
//     Model m("fold");
//     Expr x = m.variable("x"), p = m.parameter("p", 0.0);
//     m.equation(pow(x, 3) - 3 * x + p == 0);
//     SolutionCurve curve = follow(m, {.parameter = "p", .from = -4, .to = 4});
//     curve.points.series("x");  // over curve.points.times(), the values of p
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <hydae/export.h>
#include <hydae/initial_point.h>
#include <hydae/model.h>
#include <hydae/trajectory.h>

namespace HYDAE_EXPORT hydae {

struct ContinuationOptions {
  std::string parameter = {};  // of the model, or "time"
  double from = 0, to = 1;
  // By arc length: turning points are passed. Otherwise the parameter only moves from `from` to
  // `to`, and a turning point ends the curve.
  bool by_arc_length = true;
  // The curve is left when the parameter leaves these bounds; not given: as far again behind `from`
  // as `to` lies ahead, and not beyond `to`.
  std::optional<double> min = {}, max = {};
  double max_step = 0.1;  // in arc length, measured in nominal values and |to - from|
  int max_points = 5000;
  std::vector<StartOverride> start_values = {};  // guesses at `from`: they choose the branch
};

struct SpecialPoint {
  enum class Kind { kStart, kTurningPoint, kBranchPoint, kEnd };
  Kind kind = Kind::kStart;
  std::size_t row = 0;  // in the points of the curve
};

struct SolutionCurve {
  std::string status = "success";  // or the stable name of the failure
  std::string message;             // for a person; empty on success
  std::string parameter;
  double from = 0, to = 0;
  bool is_closed = false;           // ended where it began, without meeting `to`
  Trajectory points;                // in the order of the curve, over the parameter
  std::vector<double> arc_lengths;  // by row
  std::vector<SpecialPoint> special_points;

  bool succeeded() const { return status == "success"; }
};

// Success: the parameter has reached `to`, or the curve is closed. Throws ModelError for a model
// that is ill-posed, UsageError for one that has derivatives and for options that make no sense.
SolutionCurve follow(const Model& model, const ContinuationOptions& options);

std::string to_text(const SolutionCurve& curve);
std::string to_json(const SolutionCurve& curve);

}  // namespace hydae
