#include "modelica/external/table_file.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace hydae::modelica {

namespace {

constexpr int kMostCells = 10'000'000;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 28;  // some 25 bytes for each cell

bool is_csv(const std::string& file) {
  if (file.size() < 4) return false;
  std::string end = file.substr(file.size() - 4);
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".csv";
}

// No device and no pipe, which might never end.
void check_regular(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw TableFileError{fmt::format("the table file `{}` is not a file that can be read", file)};
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > kMostBytes)
    throw TableFileError{
        fmt::format("the table file `{}` is larger than {} bytes", file, kMostBytes)};
}

double finite_number(double number, const std::string& word, const std::string& file) {
  if (std::isfinite(number)) return number;
  throw TableFileError{fmt::format("`{}` is no finite number in `{}`", word, file)};
}

// The numbers of a line, separated by `,`, `;` or tabs; nothing else stands between or behind them.
int read_csv_line(const std::string& line, const std::string& file, std::vector<double>& cells) {
  int columns = 0;
  const char* at = line.c_str();
  while (true) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at) throw TableFileError{fmt::format("`{}` is no number in `{}`", at, file)};
    cells.push_back(finite_number(value, std::string(at, static_cast<const char*>(end)), file));
    if (++columns; cells.size() > kMostCells)
      throw TableFileError{
          fmt::format("the table of `{}` has more than {} cells", file, kMostCells)};
    at = end;
    while (*at == ' ' || *at == '\r') ++at;
    if (at == line.c_str() + line.size()) return columns;
    if (*at != ',' && *at != ';' && *at != '\t')
      throw TableFileError{fmt::format("`{}` follows a number in `{}`", at, file)};
    ++at;
  }
}

Matrix read_csv(const std::string& file, std::istream& in) {
  Matrix out;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line == "\r") continue;
    const int columns = read_csv_line(line, file, out.cells);
    if (out.rows > 0 && columns != out.columns)
      throw TableFileError{fmt::format("the rows of `{}` differ in length", file)};
    out.columns = columns;
    ++out.rows;
  }
  return out;
}

// `(rows, columns)`
bool read_size(const std::string& text, int& rows, int& columns) {
  std::istringstream in(text);
  char open = 0, comma = 0, close = 0;
  return in >> open >> rows >> comma >> columns >> close && open == '(' && comma == ',' &&
         close == ')';
}

// The number tokens after the header of the table; comments run from `#` to the end of the line.
Matrix read_numbers(const std::string& file, std::istream& in, int rows, int columns) {
  Matrix out;
  out.rows = rows;
  out.columns = columns;
  if (rows < 0 || columns < 0 || static_cast<double>(rows) * columns > kMostCells)
    throw TableFileError{fmt::format("a table of `{}` has an impossible size", file)};
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::string line;
  while (out.cells.size() < count && std::getline(in, line)) {
    line = line.substr(0, line.find('#'));
    for (char& c : line)
      if (c == ',' || c == ';' || c == '\t' || c == '\r') c = ' ';
    std::istringstream words(line);
    std::string word;
    while (out.cells.size() < count && words >> word) {
      char* end = nullptr;
      const double value = std::strtod(word.c_str(), &end);
      out.cells.push_back(finite_number(value, word, file));
      if (*end != '\0') throw TableFileError{fmt::format("`{}` is no number in `{}`", word, file)};
    }
  }
  if (out.cells.size() < count)
    throw TableFileError{fmt::format("a table of `{}` ends too early", file)};
  return out;
}

}  // namespace

Matrix read_table_file(const std::string& file, const std::string& table_name) {
  check_regular(file);
  std::ifstream in(file);
  if (!in) throw TableFileError{fmt::format("the table file `{}` cannot be read", file)};
  return read_table(in, file, table_name);
}

Matrix read_table(std::istream& in, const std::string& file, const std::string& table_name) {
  if (is_csv(file)) return read_csv(file, in);
  std::string line;
  if (!std::getline(in, line) || !line.starts_with("#1"))
    throw TableFileError{
        fmt::format("`{}` is not a text table file: it must begin with `#1`", file)};
  while (std::getline(in, line)) {
    int rows = 0, columns = 0;
    const std::size_t open = line.find('('), close = line.find(')');
    std::istringstream words(line.substr(0, open));
    std::string type, name;
    words >> type >> name;
    if ((type != "double" && type != "float") || open == std::string::npos ||
        close == std::string::npos)
      continue;
    if (!read_size(line.substr(open), rows, columns))
      throw TableFileError{
          fmt::format("the size of table `{}` in `{}` is not readable", name, file)};
    if (name == table_name) return read_numbers(file, in, rows, columns);
  }
  throw TableFileError{fmt::format("there is no table `{}` in `{}`", table_name, file)};
}

}  // namespace hydae::modelica
