// Module: base
// One side of an event.
#pragma once

#include <cstdint>

#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

enum class Limit : std::uint8_t { kLeft, kRight };  // before or behind it, in the order of the run

}  // namespace hydae
