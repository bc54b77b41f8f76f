// Writing results: to standard output or to a file, with a clear error when that fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hydae::tool {

// "-" is standard output; on a terminal control characters are written out. Throws UsageError when
// not everything could be written; then a file that was there before stays as it was.
void write_output(const std::string& file, std::string_view text);

// ".svg" of "a/b.svg"; "" for "-".
std::string suffix_of(const std::string& file);
// UsageError unless the name is empty, "-" or ends in one of the suffixes.
void check_suffix(const std::string& file, const std::vector<std::string>& allowed);

}  // namespace hydae::tool
