#include "tool/interrupt.h"

#include <csignal>

namespace hydae::tool {
namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
  if (received != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  received = signal;
}

}  // namespace

void catch_interrupts() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

const char* interrupt() {
  switch (received) {
    case 0: return nullptr;
    case SIGINT: return "Ctrl-C";
    case SIGTERM: return "SIGTERM";
    default: return "SIGHUP";
  }
}

}  // namespace hydae::tool
