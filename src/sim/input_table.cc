// Tables of signals: CSV, and MAT version 4 in the layout of trajectory_mat.cc.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <optional>

#include <hydae/error.h>
#include <hydae/input_signal.h>

namespace hydae {
namespace {

// Which columns of a table are the signals, behind the first one, the time.
std::vector<InputSignal> signals_named(const Model& model, const std::vector<std::string>& names,
                                       std::vector<std::size_t>& columns,
                                       const std::string& origin) {
  std::vector<InputSignal> signals;
  std::vector<std::string> missing;
  for (const ModelInput& input : model.inputs()) {
    const auto at = std::find(names.begin() + 1, names.end(), input.name);
    missing.push_back(input.name);
    if (at == names.end()) continue;
    if (std::find(at + 1, names.end(), input.name) != names.end())
      throw UsageError(fmt::format("{} has two columns `{}`", origin, input.name));
    columns.push_back(static_cast<std::size_t>(at - names.begin()));
    signals.push_back({input.name, {}, {}});
  }
  if (missing.empty()) throw UsageError(fmt::format("model `{}` has no inputs", model.name()));
  if (signals.empty())
    throw UsageError(fmt::format("{} has no column for an input of model `{}`: {}", origin,
                                 model.name(), quoted_list(missing)));
  return signals;
}

// --- CSV
// ------------------------------------------------------------------------------------------

class CsvTable {
 public:
  CsvTable(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  std::vector<InputSignal> read(const Model& model) {
    std::vector<std::string> header;
    if (text_.empty()) throw UsageError(fmt::format("{} is empty", origin_));
    if (text_.find('\0') != std::string_view::npos)
      throw UsageError(fmt::format("{} is neither a text nor a MAT file of version 4", origin_));
    if (!next_line(header) || header.front() != "time")
      throw UsageError(fmt::format("{} does not begin with a line of names `time,...`", origin_));
    if (header.size() < 2)
      throw UsageError(fmt::format("{} has no column but that of `time`", origin_));
    std::vector<std::size_t> columns;
    std::vector<InputSignal> signals = signals_named(model, header, columns, origin_);
    std::vector<std::string> cells;
    while (next_line(cells)) {
      if (cells.size() == 1 && cells.front().empty()) continue;
      if (cells.size() != header.size())
        throw UsageError(fmt::format("{}, line {}: {} cells in place of {}", origin_, line_,
                                     cells.size(), header.size()));
      const double time = number(cells.front(), header.front());
      for (std::size_t k = 0; k < signals.size(); ++k) {
        check_order(signals[k].times, time);
        signals[k].times.push_back(time);
        signals[k].values.push_back(number(cells[columns[k]], header[columns[k]]));
      }
    }
    return signals;
  }

 private:
  void check_order(const std::vector<double>& times, double time) const {
    if (!times.empty() && time < times.back())
      throw UsageError(fmt::format("{}, line {}: the time {} stands behind {}: times must ascend",
                                   origin_, line_, time, times.back()));
  }

  double number(const std::string& cell, const std::string& column) const {
    if (cell == "true") return 1;
    if (cell == "false") return 0;
    double value = 0;
    const char* const end = cell.data() + cell.size();
    const char* const begin = cell.starts_with('+') ? cell.data() + 1 : cell.data();
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || rest != end || !std::isfinite(value))
      throw UsageError(fmt::format("{}, line {}: `{}` in column `{}` is not a finite number",
                                   origin_, line_, cell, column));
    return value;
  }

  // Cells of the next line, without blanks around them. A quoted one may hold separators and, by
  // pairs, quotes.
  bool next_line(std::vector<std::string>& cells) {
    cells.clear();
    if (at_ >= text_.size()) return false;
    ++line_;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line_ == 1) separator_ = separator_of(line);
    at_ = end + 1;
    bool is_quoted = false;
    std::string cell;
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (line[k] == '"' && is_quoted && k + 1 < line.size() && line[k + 1] == '"')
        cell += line[++k];
      else if (line[k] == '"')
        is_quoted = !is_quoted;
      else if (line[k] == separator_ && !is_quoted)
        cells.push_back(trimmed(std::exchange(cell, {})));
      else
        cell += line[k];
    }
    cells.push_back(trimmed(cell));
    return true;
  }

  static char separator_of(std::string_view header) {
    const std::size_t at = header.find_first_of(",;\t");
    return at == std::string_view::npos ? ',' : header[at];
  }

  static std::string trimmed(const std::string& cell) {
    const std::size_t first = cell.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return cell.substr(first, cell.find_last_not_of(" \t\r") - first + 1);
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0;
  int line_ = 0;
  char separator_ = ',';
};

// --- MAT
// ------------------------------------------------------------------------------------------

constexpr std::size_t kMatHeader = 20;  // bytes: five integers of four

bool is_mat(std::string_view text) {
  return text.size() > kMatHeader + 7 &&
         text.substr(kMatHeader, 7) == std::string_view("Aclass\0", 7);
}

class MatTable {
 public:
  MatTable(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {
    while (at_ < text_.size()) read_matrix();
  }

  std::vector<InputSignal> read(const Model& model) const {
    const std::vector<std::string> layout = texts("Aclass", /*by_column=*/false);
    const bool is_transposed = layout.size() > 3 && layout[3] == "binTrans";
    if (!is_transposed) refuse("is no result of a simulation in the layout `binTrans`");
    const std::vector<std::string> names = texts("name", /*by_column=*/true);
    if (names.empty()) refuse("has no names");
    std::vector<std::size_t> columns;
    std::vector<InputSignal> signals = signals_named(model, names, columns, origin_);
    const std::vector<double> times = values_of(0);
    for (std::size_t k = 0; k < signals.size(); ++k) {
      signals[k].times = times;
      signals[k].values = values_of(columns[k]);
      if (signals[k].values.size() == 2 && times.size() != 2)  // of a parameter: it is constant
        signals[k].values.assign(times.size(), signals[k].values[0]);
      if (signals[k].values.size() != times.size()) refuse("has signals of different lengths");
    }
    return signals;
  }

 private:
  struct Matrix {
    std::int32_t type = 0;
    std::size_t rows = 0, columns = 0;
    std::string_view data;
  };

  [[noreturn]] void refuse(const char* what) const {
    throw UsageError(fmt::format("{} {}", origin_, what));
  }

  template <class T>
  static T at(std::string_view bytes, std::size_t place) {
    T value;
    std::memcpy(&value, bytes.data() + place * sizeof(T), sizeof(T));
    return value;
  }

  static std::size_t size_of(std::int32_t type) {
    switch (type % 100 / 10) {
      case 0: return 8;
      case 1:
      case 2: return 4;
      case 3:
      case 4: return 2;
      default: return 1;
    }
  }

  void read_matrix() {
    const std::string_view rest = text_.substr(at_);
    if (rest.size() < kMatHeader) refuse("is cut off");
    Matrix matrix;
    matrix.type = at<std::int32_t>(rest, 0);
    const auto rows = at<std::int32_t>(rest, 1), columns = at<std::int32_t>(rest, 2),
               imaginary = at<std::int32_t>(rest, 3), name_length = at<std::int32_t>(rest, 4);
    if (matrix.type < 0 || matrix.type >= 100 || rows < 0 || columns < 0 || imaginary != 0 ||
        name_length < 1)
      refuse("is not a MAT file of version 4");
    matrix.rows = static_cast<std::size_t>(rows);
    matrix.columns = static_cast<std::size_t>(columns);
    const auto name_size = static_cast<std::size_t>(name_length);
    if (rest.size() < kMatHeader + name_size) refuse("is cut off");
    // Sizes that anybody may have written: their product need not be a number of this machine.
    const std::size_t cells = (rest.size() - kMatHeader - name_size) / size_of(matrix.type);
    if (matrix.rows > 0 && matrix.columns > cells / matrix.rows) refuse("is cut off");
    if (matrix.rows == 0) matrix.columns = 0;
    const std::size_t size = matrix.rows * matrix.columns * size_of(matrix.type);
    matrix.data = rest.substr(kMatHeader + name_size, size);
    matrices_[std::string(rest.substr(kMatHeader, name_size - 1))] = matrix;
    at_ += kMatHeader + name_size + size;
  }

  const Matrix& matrix(const std::string& name) const {
    const auto found = matrices_.find(name);
    if (found == matrices_.end())
      throw UsageError(fmt::format("{} has no matrix `{}`", origin_, name));
    return found->second;
  }

  std::vector<std::string> texts(const std::string& name, bool by_column) const {
    const Matrix& from = matrix(name);
    if (size_of(from.type) != 1) refuse("has names that are no text");
    const std::size_t count = by_column ? from.columns : from.rows;
    const std::size_t length = by_column ? from.rows : from.columns;
    std::vector<std::string> result(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < length; ++k)
        result[i] += from.data[by_column ? i * length + k : k * count + i];
      result[i].resize(result[i].find_last_not_of(std::string_view(" \0", 2)) + 1);
    }
    return result;
  }

  // dataInfo: the table, and the place in it, negative for the opposite value.
  std::vector<double> values_of(std::size_t name) const {
    const Matrix& info = matrix("dataInfo");
    if (info.rows != 4 || size_of(info.type) != 4 || name >= info.columns)
      refuse("has a `dataInfo` of another form");
    const auto table = at<std::int32_t>(info.data, 4 * name);
    const auto place = at<std::int32_t>(info.data, 4 * name + 1);
    const Matrix& from = matrix(table == 1 ? "data_1" : "data_2");
    if (from.type % 100 / 10 > 1) refuse("has data that are neither double nor float");
    const auto row = static_cast<std::size_t>(std::abs(std::int64_t{place})) - 1;
    if (place == 0 || row >= from.rows) refuse("has a `dataInfo` that points to no data");
    std::vector<double> values;
    for (std::size_t k = 0; k < from.columns; ++k) {
      const std::size_t cell = k * from.rows + row;
      const double value = size_of(from.type) == 8
                               ? at<double>(from.data, cell)
                               : static_cast<double>(at<float>(from.data, cell));
      values.push_back(place < 0 ? -value : value);
    }
    return values;
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0;
  std::map<std::string, Matrix> matrices_;
};

// Of a MAT file, whose numbers may be anything; texts say in which line they are wrong.
void require_sound(const InputSignal& signal, const std::string& origin) {
  for (std::size_t k = 0; k < signal.times.size(); ++k) {
    if (!std::isfinite(signal.times[k]) || !std::isfinite(signal.values[k]))
      throw UsageError(
          fmt::format("{}, row {}: the time or the value of `{}` is not a finite number", origin,
                      k + 1, signal.name));
    if (k > 0 && signal.times[k] < signal.times[k - 1])
      throw UsageError(fmt::format("{}, row {}: the time {:.10g} stands behind {:.10g}", origin,
                                   k + 1, signal.times[k], signal.times[k - 1]));
  }
}

}  // namespace

std::vector<InputSignal> read_input_signals(const Model& model, std::string_view text,
                                            const std::string& origin,
                                            Interpolation interpolation) {
  std::vector<InputSignal> signals =
      is_mat(text) ? MatTable(text, origin).read(model) : CsvTable(text, origin).read(model);
  for (InputSignal& signal : signals) {
    if (signal.times.empty()) throw UsageError(fmt::format("{} has no rows", origin));
    require_sound(signal, origin);
    signal.interpolation = interpolation;
  }
  return signals;
}

}  // namespace hydae
