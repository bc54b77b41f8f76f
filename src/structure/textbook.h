// Matching, sorting and Pantelides' algorithm as a course teaches them (Broman 2010), with a log of
// every step: a student can follow sheet by sheet. Vertices are equations and variables, a
// derivative is a vertex of its own, and a set is written in the order in which it grew. The
// algorithms of matching.h, blt.h and pantelides.h do the work elsewhere; a test compares.
#pragma once

#include <string>

#include <hydae/ids.h>

#include "structure/signature.h"

namespace hydae::structure {

struct TextbookNames {
  IdVector<EqId, std::string> equations;
  IdVector<VarId, std::string> variables;
};

// MATCH(G) between equations and the highest derivative of each variable.
std::string trace_matching(const SignatureMatrix& sigma, const TextbookNames& names);
// BLT(G): the matching, the dependency graph, Tarjan's algorithm with its numbers, the blocks.
std::string trace_sorting(const SignatureMatrix& sigma, const TextbookNames& names);

struct PantelidesTrace {
  std::string text;
  IdVector<EqId, int> num_differentiations;  // empty for a singular system
};
PantelidesTrace trace_pantelides(const SignatureMatrix& sigma, const TextbookNames& names);

}  // namespace hydae::structure
