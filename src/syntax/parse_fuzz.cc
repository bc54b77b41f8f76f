// Any bytes as a Modelica file: the parser ends, and what it reads without a message prints as text
// that reads as the same. Run with
//   cmake --preset fuzz && cmake --build build/fuzz --target syntax_parse_fuzz
//   build/fuzz/src/syntax/syntax_parse_fuzz -dict=test/fuzz/modelica.dict NEW_CORPUS
//   test/fuzz/syntax
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "syntax/parsed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hydae::syntax::Parsed;
  const Parsed first(std::string(reinterpret_cast<const char*>(data), size));
  const std::string printed = first.print();
  if (!first.messages().empty()) return 0;
  const Parsed second(printed);
  if (second.file.diagnostics.empty() && second.print() == printed) return 0;
  std::fprintf(stderr, "printed:\n%s\nread as:\n%s\n%s", printed.c_str(), second.print().c_str(),
               second.messages().c_str());
  std::abort();
}
