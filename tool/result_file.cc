#include "tool/result_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hydae::tool {
namespace fs = std::filesystem;
namespace {

// A link is followed, so that it stays one.
std::string resolved(const std::string& name) {
  std::error_code error;
  const fs::path real = fs::canonical(name, error);
  return error ? name : real.string();
}

mode_t permissions_of(const std::string& target) {
  struct stat status {};
  if (stat(target.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool is_special(const std::string& target) {
  struct stat status {};
  return stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// How much of the text the system has taken; errno says why not all.
std::size_t write_all(int descriptor, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  return done;
}

}  // namespace

ResultFile::ResultFile(std::string name) : name_(std::move(name)) {
  if (is_standard_output()) {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  target_ = resolved(name_);
  try {
    open_target();
  } catch (...) {
    discard();
    throw;
  }
}

ResultFile::~ResultFile() { discard(); }

void ResultFile::open_target() {
  std::error_code error;
  if (fs::is_directory(target_, error)) {
    errno = EISDIR;
    refuse();
  }
  if (is_special(target_) || !open_temporary()) open_directly();
}

bool ResultFile::open_temporary() {
  const fs::path folder = fs::path(target_).parent_path();
  temporary_ = (folder / ".hydae-XXXXXX").string();
  descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    temporary_.clear();
    return false;
  }
  struct stat status {};
  if (stat(target_.c_str(), &status) == 0 && access(target_.c_str(), W_OK) != 0) refuse();
  if (fchmod(descriptor_, permissions_of(target_)) != 0) refuse();
  // The name itself may be one that the file system does not take.
  if (lstat(target_.c_str(), &status) != 0 && errno != ENOENT) refuse();
  return true;
}

// A device, a pipe, or a file in a folder that takes no other files.
void ResultFile::open_directly() {
  const int reason = errno;
  struct stat status {};
  if (stat(target_.c_str(), &status) != 0) {
    errno = reason;
    refuse();
  }
  descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse();
  overwrites_ = S_ISREG(status.st_mode);
}

void ResultFile::write(std::string_view text) {
  if (overwrites_ && ftruncate(descriptor_, 0) != 0) fail();
  overwrites_ = false;
  const std::size_t done = write_all(descriptor_, text);
  if (done == text.size()) return;
  const int reason = errno;
  if (!temporary_.empty()) {
    const std::size_t line_end = text.substr(0, done).rfind('\n');
    const std::size_t kept = line_end == std::string_view::npos ? 0 : line_end + 1;
    const off_t end = lseek(descriptor_, 0, SEEK_CUR) - static_cast<off_t>(done - kept);
    if (ftruncate(descriptor_, end) == 0) lseek(descriptor_, end, SEEK_SET);
  }
  errno = reason;
  fail();
}

void ResultFile::keep() {
  if (is_standard_output() || descriptor_ < 0) return;
  const bool is_stored = temporary_.empty() || fsync(descriptor_) == 0;
  const bool is_closed = close(descriptor_) == 0;
  descriptor_ = -1;
  if (!is_stored || !is_closed) fail();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

void ResultFile::discard() {
  if (is_standard_output()) return;
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

std::string ResultFile::reason() const {
  return fmt::format("cannot write {}: {}",
                     is_standard_output() ? "standard output" : fmt::format("`{}`", name_),
                     std::strerror(errno));
}

void ResultFile::refuse() const { throw UsageError(reason()); }

void ResultFile::fail() const {
  if (is_standard_output() && errno == EPIPE) throw ReaderGone(reason());
  throw OutputFailed(reason());
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return a == b;
  struct stat first {
  }, second{};
  if (stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0)
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  std::error_code error;
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

}  // namespace hydae::tool
