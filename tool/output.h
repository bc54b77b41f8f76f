// Writing results: to standard output or to a file, with a clear error when that fails.
#pragma once

#include <string>
#include <string_view>

namespace hydae::tool {

// "-" is standard output. Throws UsageError when not everything could be written.
void write_output(const std::string& file, std::string_view text);

}  // namespace hydae::tool
