// Pictures of results, drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

#include <hydae/trajectory.h>

namespace hydae::tool {

// ".svg" of "a/b.svg"; "" for "-".
std::string suffix_of(const std::string& file);
// UsageError unless the name is empty, "-" or ends in one of the suffixes.
void check_suffix(const std::string& file, const std::vector<std::string>& allowed);

// Draws all columns into FILE.svg or FILE.png. UsageError if that fails.
void draw(const Trajectory& trajectory, const std::string& title, const std::string& file);

}  // namespace hydae::tool
