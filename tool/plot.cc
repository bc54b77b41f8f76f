#include "tool/plot.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

#include <hydae/error.h>

namespace hydae::tool {

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

void draw(const Trajectory& trajectory, const std::string& title, const std::string& file) {
  PlotOptions plot;
  plot.title = title;
  plot.format = suffix_of(file).substr(1);
  const std::string script = to_gnuplot(trajectory, plot, file);
  std::FILE* pipe = popen("gnuplot", "w");
  if (pipe == nullptr) throw UsageError("gnuplot cannot be started");
  const bool is_written = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  if (pclose(pipe) != 0 || !is_written)
    throw UsageError(fmt::format("gnuplot could not draw `{}`", file));
}

}  // namespace hydae::tool
