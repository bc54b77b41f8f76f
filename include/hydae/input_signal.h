// Module: sim
// Signals for the inputs of a model: points in time with values, and what lies between them. Before
// the first point a signal has the first value, behind the last one the last value. Two points of
// one time are a jump: the left limit, then the right limit. Where a signal or one of its
// derivatives jumps, a step of the run ends; a jump of the value is an event.
//
//     SimulateOptions options;
//     options.inputs = {{"force", {0, 1, 1, 3}, {0, 2, -1, -1}}};
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hydae/export.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

enum class Interpolation : std::uint8_t {
  kStep,    // the value of the last point; inputs that are not Real always
  kLinear,  // a straight line from point to point
  kSpline,  // between jumps one cubic spline, its second derivative continuous ("not a knot")
};

struct InputSignal {
  std::string name;
  // Ascending times. None: the input keeps its start value, or, in a run that goes on from a saved
  // state, the value it has there.
  std::vector<double> times, values;
  Interpolation interpolation = Interpolation::kLinear;
};

// The signals of the inputs of `model` that have a column in a table: CSV with a header
// `time,name,...`, or a MAT file as to_mat() makes it. `origin` is for messages: "`u.csv`". Columns
// that are no inputs are not looked at. Throws UsageError for text that is no such table, a cell of
// a signal that is no finite number, times that do not ascend, and a table without any input.
std::vector<InputSignal> read_input_signals(const Model& model, std::string_view text,
                                            const std::string& origin,
                                            Interpolation interpolation = Interpolation::kLinear);

}  // namespace hydae
