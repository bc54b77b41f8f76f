// Module: compile
// What initialization is given besides the model, and what it finds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/export.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

// Replaces what the model says about one start value.
struct StartOverride {
  std::string variable;  // "x", "der(x)", "der(x,2)"
  double value = 0;
  bool fixed = false;
};

// Replaces the value of a parameter.
struct ParameterOverride {
  std::string parameter;
  double value = 0;
};

// What becomes of start values that are not fixed.
enum class Guesses : std::uint8_t {
  kKept,     // as many as there are free values are held; the others follow from the equations
  kClosest,  // none is held: the point closest to all of them in the sense of least squares
};

struct InitializeOptions {
  std::optional<double> time;  // the model's start time
  std::vector<bool> mode;      // as in AnalyzeOptions; empty: the one that agrees with the point
  std::vector<StartOverride> start_values;
  Guesses guesses = Guesses::kKept;
  // Equations may be singular, too few or too many: the point closest to the start values that
  // satisfies all of them, in the mode given or that of the start values.
  bool is_least_norm = false;
};

// A start value that was given, not fixed, and could not be kept.
struct MovedStart {
  std::string variable;  // "x", "der(x)"
  double from = 0, to = 0;
  std::string because;    // the equation that asked for it, or what else: "its bounds", "it is -y"
  bool is_state = false;  // of a value that could have been chosen freely, or that options gave
};

// A part of the initialization that has too many equations for its unknowns, or too few.
struct InitialPart {
  std::vector<std::string> equations, unknowns;  // names; der(f1) is a derivative of f1
};

struct InitialPoint {
  std::string status = "success";  // or the stable name of the failure
  std::string message;             // for a person; empty on success
  Diagnostics diagnostics;
  double t = 0;
  std::vector<std::pair<std::string, bool>> mode;
  std::vector<std::string> variables;
  std::vector<std::vector<double>> values;  // by variable: x, der(x), ...
  double residual_norm = 0;                 // largest residual relative to its terms
  int iterations = 0;
  std::vector<std::string> free;   // adjusted by the initialization
  std::vector<std::string> fixed;  // held
  std::vector<std::string> kept;   // start values, not fixed, that were held: free as well
  std::vector<MovedStart> moved;   // start values that were not
  InitialPart over, under;         // over- and under-determined; empty if there is none
  std::string method;              // the most stubborn method that was needed

  bool succeeded() const { return status == "success"; }
};

std::string to_text(const InitialPoint& point);
std::string to_text(const MovedStart& start);
std::string to_json(const InitialPoint& point);

}  // namespace hydae
