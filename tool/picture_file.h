// Drawings as bytes of a file: SVG by hydae itself, PNG and PDF by cairo. No program is started.
#pragma once

#include <string>
#include <vector>

#include "sim/picture.h"

namespace hydae::tool {

// Suffixes that this build can write: ".svg", and with cairo ".png" and ".pdf".
const std::vector<std::string>& picture_suffixes();
// Throws UsageError where cairo fails, for instance for want of memory.
std::string picture_bytes(const Picture& picture, const std::string& suffix);

}  // namespace hydae::tool
