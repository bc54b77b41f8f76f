// The model files of a folder, for tests that take each of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace hydae {

// Names without .mo, sorted.
inline std::vector<std::string> model_files(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".mo") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace hydae
