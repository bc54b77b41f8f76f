// Module: sim
// Consistent initialization: values of all variables and of the derivatives that the model needs,
// such that the equations and their hidden consequences hold, fixed start values are held, bounds
// are respected, given start values are kept where that has a solution, and every relation agrees
// with the point. It is the point from which simulate() starts.
#pragma once

#include <hydae/analyze.h>
#include <hydae/export.h>
#include <hydae/initial_point.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

// In the mode that the options name, otherwise in the one that agrees with its own solution. Throws
// ModelError for a model that is ill-posed, UsageError for options that make no sense.
InitialPoint initialize(const Model& model, const InitializeOptions& options = {});

// `options` with the point, and so with the mode, from which simulate() starts; as they are where
// no such point is found, or where they say it themselves.
AnalyzeOptions at_initial_point(const Model& model, AnalyzeOptions options = {});

// Structure and diagnostics of a model. Its mode is that of the start values; only if the equations
// are singular there the one from which simulate() starts decides. If there is none either, what is
// singular in this one mode is a warning.
Analysis check(const Model& model);

}  // namespace hydae
