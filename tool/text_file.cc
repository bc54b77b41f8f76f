#include "tool/text_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include <hydae/error.h>

namespace hydae::tool {
namespace {

[[noreturn]] void refuse(const std::string& file, const char* why) {
  throw UsageError(fmt::format("cannot read `{}`: {}", file, why));
}

// A descriptor that is closed whatever happens.
class OpenFile {
 public:
  explicit OpenFile(const std::string& file)
      : descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) refuse(file, std::strerror(errno));
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(descriptor_); }

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

std::string read_text_file(const std::string& file) {
  const OpenFile in(file);
  struct stat status {};
  if (fstat(in.descriptor(), &status) != 0) refuse(file, std::strerror(errno));
  // A pipe ends; a device need not.
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode))
    refuse(file, S_ISDIR(status.st_mode) ? "it is a folder" : "it is a device");
  std::string text;
  constexpr std::size_t kPart = 1 << 16;
  const auto part = std::make_unique<char[]>(kPart);
  for (;;) {
    const ssize_t count = read(in.descriptor(), part.get(), kPart);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(file, std::strerror(errno));
    if (count == 0) return text;
    text.append(part.get(), static_cast<std::size_t>(count));
  }
}

}  // namespace hydae::tool
