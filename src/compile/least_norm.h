// A point of equations that need not determine it: singular, too few or too many (Uhlig, Blochwitz,
// Schnabel, Naehring, sections 2.1, 5 and 7). Which equations are differentiated is their index
// calculation, which needs no perfect assignment; the point is the closest one to the start values
// that satisfies all of them. Equations that contradict each other are named, as few as possible.
#pragma once

#include <hydae/initial_point.h>
#include <hydae/model.h>

namespace hydae {

InitialPoint find_least_norm_point(const Model& model, const InitializeOptions& options);

}  // namespace hydae
