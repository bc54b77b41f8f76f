// Module: compile
// Consistent initialization: values of all variables and of the derivatives that the model needs,
// such that the equations and their hidden consequences hold, fixed start values are held, bounds
// are respected, and everything else stays as close to the guesses as the equations allow.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/model.h>

namespace hydae {

// Replaces what the model says about one start value.
struct StartOverride {
  std::string variable;  // "x", "der(x)", "der(x,2)"
  double value = 0;
  bool fixed = false;
};

struct InitializeOptions {
  std::optional<double> time;  // the model's start time
  std::vector<bool> mode;      // as in AnalyzeOptions
  std::vector<StartOverride> start_values;
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
  InitialPart over, under;         // over- and under-determined; empty if there is none
  std::string method;              // the most stubborn method that was needed

  bool succeeded() const { return status == "success"; }
};

// Throws ModelError for a model that is ill-posed, UsageError for options that make no sense.
InitialPoint initialize(const Model& model, const InitializeOptions& options = {});

std::string to_text(const InitialPoint& point);
std::string to_json(const InitialPoint& point);

}  // namespace hydae
