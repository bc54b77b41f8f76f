#include "tool/text_file.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include <hydae/error.h>

namespace hydae::tool {

std::string read_text_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad()) throw UsageError(fmt::format("cannot read `{}`", file));
  return text;
}

}  // namespace hydae::tool
