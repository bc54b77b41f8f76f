// Module: sim
// The result of a simulation as a table: one row per output time, one column per named quantity. At
// an event there are two rows of the same time: the left limit, then the right limit. The same
// table holds the points of a curve of solutions, over a parameter instead of time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

struct Column {
  std::string name;  // "x", "der(x)", "der(x,2)", "a.b[2].c"
  std::string unit;
  std::string description;
};

class Trajectory {
 public:
  Trajectory() = default;
  explicit Trajectory(std::vector<Column> columns, Column axis = {"time", "s", ""})
      : axis_(std::move(axis)), columns_(std::move(columns)) {}

  const Column& axis() const { return axis_; }  // what times() are
  const std::vector<Column>& columns() const { return columns_; }
  std::size_t num_rows() const { return times_.size(); }
  const std::vector<double>& times() const { return times_; }
  std::span<const double> row(std::size_t index) const {
    return {values_.data() + index * columns_.size(), columns_.size()};
  }
  double value(std::size_t row_index, std::size_t column) const {
    return values_[row_index * columns_.size() + column];
  }
  std::optional<std::size_t> find_column(std::string_view name) const;
  // All values of one column; throws UsageError for a name that is not there.
  std::vector<double> series(std::string_view name) const;

  void add_row(double time, std::span<const double> values);
  void reserve(std::size_t rows);  // room for them

  // Only the columns whose names match one of the patterns (* any text, ? one character).
  Trajectory selected(std::span<const std::string> patterns) const;

 private:
  Column axis_{"time", "s", ""};
  std::vector<Column> columns_;
  std::vector<double> times_;
  std::vector<double> values_;  // row by row
};

// Receives the rows of a run one by one, in their order, instead of a table that holds them all.
// What it throws ends the run.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // Once, before the first row.
  virtual void begin(const Column& axis, std::span<const Column> columns) = 0;
  virtual void add_row(double time, std::span<const double> values) = 0;
};

// CSV with header `time,...` (the axis); each number is the shortest text that reads back the same
// double.
std::string to_csv(const Trajectory& trajectory);
// The same piece by piece, with line ends, appended to `out`.
void append_csv_header(std::string& out, const Column& axis, std::span<const Column> columns);
void append_csv_row(std::string& out, double time, std::span<const double> values);
// { "time": [...], "variables": { name: { "unit", "values" } } }
std::string to_json(const Trajectory& trajectory);
// MAT version 4 in the layout that Modelica tools share (Aclass, name, description, dataInfo,
// data_1, data_2), as bytes.
std::string to_mat(const Trajectory& trajectory);

struct PlotOptions {
  std::string title;
  int width = 900, height = 420;  // of the whole picture, of each panel
};
// All columns over the axis as an SVG picture: a panel for each unit, a legend beside it. Numbers
// that are not finite break a curve.
std::string to_svg(const Trajectory& trajectory, const PlotOptions& options = {});

}  // namespace hydae
