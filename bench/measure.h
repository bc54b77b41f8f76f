// Times for benchmarks: the processor time of this thread, the smallest of many repetitions.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace hydae::bench {

inline double cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// Repeats `f` for about `seconds`, at least five times.
template <class F>
double fastest(double seconds, F&& f) {
  double best = std::numeric_limits<double>::infinity();
  const double end = cpu_nanoseconds() + 1e9 * seconds;
  for (int k = 0; k < 5 || cpu_nanoseconds() < end; ++k) {
    const double start = cpu_nanoseconds();
    f();
    best = std::min(best, cpu_nanoseconds() - start);
  }
  return best;
}

}  // namespace hydae::bench
