// Tables in files: the text format of the standard library (`#1`, then `double name(rows, columns)`
// and the numbers) and comma-separated values.
#pragma once

#include <istream>
#include <string>

#include "modelica/external/table_blocks.h"

namespace hydae::modelica {

struct TableFileError {
  std::string message;
};

// Throws TableFileError.
Matrix read_table_file(const std::string& file, const std::string& table_name);
// The same from what `file` holds.
Matrix read_table(std::istream& in, const std::string& file, const std::string& table_name);

}  // namespace hydae::modelica
