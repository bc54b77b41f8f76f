// Module: base
// One side of an event.
#pragma once

#include <cstdint>

namespace hydae {

enum class Limit : std::uint8_t { kLeft, kRight };  // before or behind it, in the order of the run

}  // namespace hydae
