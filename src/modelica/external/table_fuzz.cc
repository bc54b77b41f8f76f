// Any bytes as a file with tables, as text and as comma-separated values: it ends with a matrix of
// finite numbers or with a TableFileError. Run with
//   cmake --preset fuzz && cmake --build build/fuzz --target modelica_table_fuzz
//   build/fuzz/src/modelica/modelica_table_fuzz NEW_CORPUS test/fuzz/tables
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "modelica/external/table_file.h"

namespace {

void read_as(const std::string& text, const std::string& file) {
  using namespace hydae::modelica;
  std::istringstream in(text);
  Matrix table;
  try {
    table = read_table(in, file, "t");
  } catch (const TableFileError& error) {
    if (!error.message.empty()) return;
    std::fprintf(stderr, "no message\n");
    std::abort();
  }
  bool is_whole = table.cells.size() ==
                  static_cast<std::size_t>(table.rows) * static_cast<std::size_t>(table.columns);
  for (double cell : table.cells) is_whole = is_whole && std::isfinite(cell);
  if (is_whole) return;
  std::fprintf(stderr, "%d x %d cells, not as many or not finite\n", table.rows, table.columns);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read_as(text, "table.txt");
  read_as(text, "table.csv");
  return 0;
}
