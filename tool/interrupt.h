// Ctrl-C, SIGTERM and SIGHUP as a wish to stop: the first one is remembered and the run ends with
// what it has; the second one ends the program at once.
#pragma once

namespace hydae::tool {

// From here on signals are remembered. Those that the caller has set to be ignored (nohup) stay so.
void catch_interrupts();
// "Ctrl-C", "SIGTERM", "SIGHUP": the signal that came; nullptr if none did.
const char* interrupt();

}  // namespace hydae::tool
