// A trajectory as a picture: panels of one unit each, one below the other over a common axis.
#pragma once

#include <hydae/trajectory.h>

#include "sim/picture.h"

namespace hydae {

Picture plot(const Trajectory& trajectory, const PlotOptions& options);

}  // namespace hydae
