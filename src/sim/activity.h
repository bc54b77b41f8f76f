// What a run tells whoever watches it.
#pragma once

#include <hydae/simulate.h>

namespace hydae {

// `doing`: a literal that continues "the run is ...".
inline void show(const SimulateOptions& options, const char* doing) {
  if (options.activity != nullptr) options.activity->doing = doing;
}

inline void show_time(const SimulateOptions& options, double t) {
  if (options.activity != nullptr) options.activity->t = t;
}

inline void show_event(const SimulateOptions& options) {
  if (options.activity != nullptr) ++options.activity->events;
  show(options, "resolving an event");
}

}  // namespace hydae
