// From a model and a mode to a system whose structure can be trusted: signature, offsets, blocks,
// the check of the system Jacobian, and repairs where it is singular.
#pragma once

#include <vector>

#include <hydae/analyze.h>

#include "compile/jacobian.h"
#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

struct AnalyzedSystem {
  System system;  // after repairs
  structure::SignatureMatrix sigma;
  structure::Analysis structure;
  IdVector<EqId, bool> nonlinear;  // see quasilinear.h
  SampledJacobian jacobian;
  std::vector<Repair> repairs;
};

struct PrepareOptions {
  bool check_jacobian = true;
  bool repair = true;
};

AnalyzedSystem analyze_system(System system, const PrepareOptions& options = {});
// `mode` as in make_system(). The model must outlive the result.
AnalyzedSystem analyze_system(const Model& model, const std::vector<bool>& mode,
                              const PrepareOptions& options = {});

}  // namespace hydae
