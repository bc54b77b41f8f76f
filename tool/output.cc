#include "tool/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>

#include <hydae/error.h>

namespace hydae::tool {

void write_output(const std::string& file, std::string_view text) {
  const auto fail = [&] {
    throw UsageError(fmt::format("cannot write `{}`: {}", file, std::strerror(errno)));
  };
  if (file == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      fail();
    return;
  }
  std::FILE* handle = std::fopen(file.c_str(), "wb");
  if (handle == nullptr) fail();
  const bool is_written = std::fwrite(text.data(), 1, text.size(), handle) == text.size();
  const bool is_closed = std::fclose(handle) == 0;
  if (!is_written || !is_closed) fail();
}

}  // namespace hydae::tool
