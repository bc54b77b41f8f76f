#include "sim/run_report.h"

#include <algorithm>

namespace hydae {

void RunReport::warn_once(const std::string& text) {
  auto& warnings = summary_.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warn(text);
}

}  // namespace hydae
