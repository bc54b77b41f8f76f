#include "tool/standard_streams.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "base/printable.h"

namespace hydae::tool {
namespace {

// In ascending order, since open() takes the lowest number that is free. Standard output that was
// closed is opened for reading: each attempt to write to it fails and is said.
void reopen_if_closed(int descriptor) {
  if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) return;
  const int flags = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
  const int opened = open("/dev/null", flags | O_CLOEXEC);
  if (opened == descriptor || opened < 0) return;
  dup2(opened, descriptor);
  close(opened);
}

}  // namespace

void prepare_standard_streams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) reopen_if_closed(descriptor);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void say(std::string_view text) { say_raw(printable(text)); }

void say_raw(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void end_for_want_of_a_reader() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  _exit(128 + SIGPIPE);
}

}  // namespace hydae::tool
