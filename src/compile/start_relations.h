// The truth of relations at a point.
#pragma once

#include <vector>

#include <hydae/analyze.h>
#include <hydae/model.h>

namespace hydae {

// Truth of system_relations(model): as the options say, otherwise at their point; variables without
// a value count as zero.
std::vector<bool> mode_of(const Model& model, const AnalyzeOptions& options);

}  // namespace hydae
