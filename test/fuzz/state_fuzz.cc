// Any text as a saved state: it is refused with a UsageError, or it is read, written and read again
// as the same, and a run goes on from it, whatever it comes to. Run with
//   cmake --preset fuzz && cmake --build build/fuzz --target state_fuzz
//   python3 test/fuzz/states.py TOOL SEEDS
//   build/fuzz/test/fuzz/state_fuzz -timeout=20 NEW_CORPUS SEEDS
// from the top folder.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <hydae/error.h>
#include <hydae/modelica.h>
#include <hydae/simulate.h>

namespace {

using namespace hydae;

Model& keeping_model() {
  static LoadResult loaded = load_model("test/fuzz/states.mo");
  if (loaded.model) return *loaded.model;
  std::fprintf(stderr, "test/fuzz/states.mo is not here\n");
  std::exit(1);
}

void go_on_from(const SavedState& state) {
  SimulateOptions options;
  options.state.resume = state;
  options.stop = state.time() + 0.05;
  options.points = 3;
  int steps = 0;
  options.progress = [&](double) { return ++steps < 200; };
  try {
    simulate(keeping_model(), options);
  } catch (const UsageError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const SavedState state = SavedState::from_text(text);
    const std::string written = state.to_text();
    if (SavedState::from_text(written).to_text() != written) {
      std::fprintf(stderr, "reads as another state\n");
      std::abort();
    }
    go_on_from(state);
  } catch (const UsageError&) {
  }
  return 0;
}
