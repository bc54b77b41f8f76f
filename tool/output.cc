#include "tool/output.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include <hydae/error.h>

#include "base/printable.h"
#include "tool/result_file.h"

namespace hydae::tool {

void write_output(const std::string& file, std::string_view text) {
  ResultFile result(file);
  const bool is_read_by_a_person = file == "-" && isatty(STDOUT_FILENO) != 0;
  result.write(is_read_by_a_person ? printable(text) : text);
  result.keep();
}

std::string suffix_of(const std::string& file) {
  return std::filesystem::path(file).extension().string();
}

void check_suffix(const std::string& file, const std::vector<std::string>& allowed) {
  if (file.empty() || file == "-") return;
  for (const std::string& suffix : allowed)
    if (suffix_of(file) == suffix) return;
  throw UsageError(
      fmt::format("`{}`: the file name must end in {}", file, fmt::join(allowed, " or ")));
}

}  // namespace hydae::tool
