// Any bytes as a Modelica model: the front end ends with a model or with messages, and the flat
// text of a model reads as the same model again. Run with
//   cmake --preset fuzz && cmake --build build/fuzz --target modelica_flatten_fuzz
//   build/fuzz/src/modelica/modelica_flatten_fuzz -dict=test/fuzz/modelica.dict -timeout=20
//   NEW_CORPUS test/fuzz/modelica
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <hydae/modelica.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hydae;
  const LoadResult first = load_text(std::string(reinterpret_cast<const char*>(data), size));
  render(first.diagnostics, first.sources.get());
  if (!first.model) {
    if (first.diagnostics.has_errors()) return 0;
    std::fprintf(stderr, "neither a model nor an error\n");
    std::abort();
  }
  const std::string flat = flatten_to_text(*first.model);
  const LoadResult second = load_text(flat);
  if (second.model && flatten_to_text(*second.model) == flat) return 0;
  std::fprintf(stderr, "flat text:\n%s\nread as:\n%s\n%s", flat.c_str(),
               second.model ? flatten_to_text(*second.model).c_str() : "nothing",
               render(second.diagnostics, second.sources.get()).c_str());
  std::abort();
}
