// The local matrix pencil s M + J: regular (full row rank for some s) or singular, which equations
// depend on each other if it is singular, and the index of a regular square pencil.
#pragma once

#include <hydae/partition.h>

#include "partition/linearisation.h"

namespace hydae::partition {

Pencil examine_pencil(const LinearSystem& system, double rank_tolerance);

}  // namespace hydae::partition
