// What a SavedState holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <hydae/saved_state.h>
#include <hydae/simulate.h>

#include "sim/hybrid_state.h"

namespace hydae {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

struct SavedContent {
  static constexpr int kVersion = 3;

  std::string origin = "the state";  // for messages
  std::string model;
  std::uint64_t fingerprint = 0;  // of its equations
  NamedNumbers parameters;
  // Settings, for who says nothing else.
  double start = 0;  // of the whole run
  double tolerance = 0;
  std::optional<double> atol;  // where one was given: else scales are derived
  int order = 0;
  Solver solver = Solver::kAuto;
  NamedNumbers fixed_starts;  // that the options gave: what they name is solved for
  // HybridState::point with its names, HybridState::discrete of discrete variables.
  NamedNumbers point, discrete;
  std::vector<std::string> relations;  // texts, for a reader
  HybridState state;
};

const char* solver_name(Solver solver);  // "taylor"

// That parameters have other values than the model says; empty if none has. `options`: of the run
// that goes on from the state.
std::string text_of_saved_parameters(const Model& model, const SimulateOptions& options);

// Of names, kinds, equations and events of a model; not of values of parameters.
std::uint64_t fingerprint_of(const Model& model);

// With the values of discrete variables in their places.
HybridState restored_state(const Model& model, const SavedContent& saved);

// The options of a run that goes on from the state: what they do not say is what the state says.
// Throws UsageError if the state is not one of this model.
SimulateOptions options_to_resume(const Model& model, SimulateOptions options);

}  // namespace hydae
