#include "tool/names.h"

namespace hydae::tool {

std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names(1);
  int depth = 0;
  bool is_quoted = false;
  for (char c : list) {
    if (c == '\'') is_quoted = !is_quoted;
    if (!is_quoted) depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    if (c == ',' && depth <= 0 && !is_quoted)
      names.emplace_back();
    else
      names.back() += c;
  }
  std::erase(names, "");
  return names;
}

}  // namespace hydae::tool
