// Any bytes as a table of input signals, CSV or MAT: refused with a UsageError, or read as signals
// with ascending finite times and as many finite values, with which a run goes as far as it can.
//   cmake --preset fuzz && cmake --build build/fuzz --target input_fuzz
//   python3 test/fuzz/inputs.py SEEDS
//   build/fuzz/test/fuzz/input_fuzz -timeout=20 NEW_CORPUS SEEDS
// from the top folder.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <hydae/error.h>
#include <hydae/input_signal.h>
#include <hydae/modelica.h>
#include <hydae/simulate.h>

namespace {

using namespace hydae;

Model& driven_model() {
  static LoadResult loaded = load_text(
      "model Driven input Real u; input Real v; input Boolean on; input Integer n; Real x(start = "
      "0, "
      "fixed = true); equation der(x) = (if on then u else -u)*n - v; end Driven;");
  return *loaded.model;
}

bool is_sound(const InputSignal& signal) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  return signal.times.size() == signal.values.size() &&
         std::is_sorted(signal.times.begin(), signal.times.end()) &&
         std::all_of(signal.times.begin(), signal.times.end(), is_finite) &&
         std::all_of(signal.values.begin(), signal.values.end(), is_finite);
}

void run_with(std::vector<InputSignal> signals) {
  SimulateOptions options;
  options.inputs = std::move(signals);
  options.stop = 2;
  options.points = 3;
  int steps = 0;
  options.progress = [&](double) { return ++steps < 200; };
  try {
    simulate(driven_model(), options);
  } catch (const UsageError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Interpolation interpolation :
       {Interpolation::kStep, Interpolation::kLinear, Interpolation::kSpline}) {
    try {
      std::vector<InputSignal> signals =
          read_input_signals(driven_model(), text, "`text`", interpolation);
      if (!std::all_of(signals.begin(), signals.end(), is_sound)) {
        std::fprintf(stderr, "not ascending, not finite, or not as many\n");
        std::abort();
      }
      run_with(std::move(signals));
    } catch (const UsageError&) {
    }
  }
  return 0;
}
