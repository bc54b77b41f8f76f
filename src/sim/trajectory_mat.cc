// MAT version 4, "Atrajectory" layout (binTrans): every matrix but Aclass is stored transposed, so
// that variables are columns of the file's matrices. Header of a matrix: five little-endian 32-bit
// integers {type, rows, columns, imaginary, length of the name with its NUL}, the name, the data by
// columns.
#include <algorithm>
#include <cstring>

#include <hydae/trajectory.h>

namespace hydae {
namespace {

constexpr std::int32_t kDouble = 0, kInt32 = 20, kText = 51;

template <class T>
void append(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

void append_header(std::string& out, std::int32_t type, std::size_t rows, std::size_t columns,
                   const char* name) {
  const auto name_length = static_cast<std::int32_t>(std::strlen(name) + 1);
  for (std::int32_t field :
       {type, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns), 0, name_length})
    append(out, field);
  out.append(name, static_cast<std::size_t>(name_length));
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  return length;
}

// One text per row; stored by columns, so character k of all rows stands together.
void append_texts_by_row(std::string& out, const char* name, const std::vector<std::string>& rows) {
  const std::size_t width = longest(rows);
  append_header(out, kText, rows.size(), width, name);
  for (std::size_t k = 0; k < width; ++k)
    for (const std::string& row : rows) out += k < row.size() ? row[k] : ' ';
}

// One text per column of the stored matrix.
void append_texts_by_column(std::string& out, const char* name,
                            const std::vector<std::string>& texts) {
  const std::size_t width = longest(texts);
  append_header(out, kText, width, texts.size(), name);
  for (const std::string& text : texts) out += text + std::string(width - text.size(), '\0');
}

}  // namespace

std::string to_mat(const Trajectory& trajectory) {
  std::vector<std::string> names = {"time"}, descriptions = {"Time in s [s]"};
  for (const Column& column : trajectory.columns()) {
    names.push_back(column.name);
    descriptions.push_back(column.unit.empty() ? column.description
                                               : column.description + " [" + column.unit + "]");
  }
  std::string out;
  append_texts_by_row(out, "Aclass", {"Atrajectory", "1.1", "", "binTrans"});
  append_texts_by_column(out, "name", names);
  append_texts_by_column(out, "description", descriptions);

  append_header(out, kInt32, 4, names.size(), "dataInfo");
  for (std::size_t k = 0; k < names.size(); ++k) {
    // table (0: abscissa, 2: data_2), 1-based column, linear interpolation, undefined outside
    for (std::int32_t field : {k == 0 ? 0 : 2, static_cast<std::int32_t>(k + 1), 0, -1})
      append(out, field);
  }

  // data_1 holds parameters; ours has the time span only.
  const bool has_rows = trajectory.num_rows() > 0;
  append_header(out, kDouble, 1, 2, "data_1");
  append(out, has_rows ? trajectory.times().front() : 0.0);
  append(out, has_rows ? trajectory.times().back() : 0.0);

  append_header(out, kDouble, names.size(), trajectory.num_rows(), "data_2");
  for (std::size_t r = 0; r < trajectory.num_rows(); ++r) {
    append(out, trajectory.times()[r]);
    for (double value : trajectory.row(r)) append(out, value);
  }
  return out;
}

}  // namespace hydae
