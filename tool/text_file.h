// Reading a file that the command line names.
#pragma once

#include <string>

namespace hydae::tool {

// Its content. Throws UsageError naming the file if it cannot be read; folders and devices are no
// files.
std::string read_text_file(const std::string& file);

}  // namespace hydae::tool
