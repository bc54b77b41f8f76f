#include "modelica/external/table_blocks.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "modelica/expressions/constant_folding.h"
#include "modelica/external/file_access.h"
#include "modelica/external/table_file.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica {

// ---- data ----

void TableData::fail(const char* code, const std::string& message) const {
  if (std::exchange(object_.is_refused, true)) throw Failure();
  Diagnostic refused;
  refused.code = code;
  refused.message = message;
  refused.range = range_;
  if (!object_.component.empty())
    refused.notes.push_back(
        {fmt::format("the table is that of `{}`", object_.component), object_.declared});
  session_.fail(std::move(refused));
}

double TableData::number(const Value& value) const {
  return session_.folding->number(session_.folding->fold(value.scalar(), range_, "table data"));
}

int TableData::integer(const Value& value) const { return static_cast<int>(number(value)); }

Smoothness TableData::smoothness(const Value& value) const {
  const int given = integer(value);
  if (given < 1 || given > 6) fail("table-option", "no such smoothness");
  return static_cast<Smoothness>(given);
}

Extrapolation TableData::extrapolation(const Value& value) const {
  const int given = integer(value);
  if (given < 1 || given > 4) fail("table-option", "no such extrapolation");
  return static_cast<Extrapolation>(given);
}

Matrix TableData::matrix(const Value& table_name, const Value& file_name, const Value& table) {
  if (object_.is_refused) throw Failure();
  const std::string& file = file_name.text();
  if (file != "NoName" && !file.empty()) {
    try {
      return read_table_file(readable_file(session_, file, range_), table_name.text());
    } catch (const Failure&) {
      object_.is_refused = true;
      throw;
    } catch (const TableFileError& error) {
      fail("table-file", error.message);
    }
  }
  Matrix out;
  if (table.rank() != 2 || table.cells.empty() || !table.is_numeric())
    fail("table-empty", "the table has no data");
  out.rows = table.sizes[0];
  out.columns = table.sizes[1];
  const Value known = session_.folding->fold(table, range_, "the table");
  for (const NodeId cell : known.cells) out.cells.push_back(session_.folding->number(cell));
  return out;
}

std::vector<double> TableData::column(const Matrix& matrix, int column) const {
  if (column < 1 || column > matrix.columns)
    fail("index-out-of-range",
         fmt::format("the table has {} columns, there is no column {}", matrix.columns, column));
  std::vector<double> out;
  for (int i = 0; i < matrix.rows; ++i) out.push_back(matrix.at(i, column - 1));
  return out;
}

void TableData::check_ascending(const std::vector<double>& x, bool allows_equal) const {
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i] < x[i - 1] || (!allows_equal && x[i] == x[i - 1]))
      fail("table-order",
           fmt::format("the first column of the table must ascend: {} follows {}", x[i], x[i - 1]));
}

namespace {

std::vector<int> chosen_columns(Session& session, const Value& columns, SourceRange range) {
  std::vector<int> out;
  const Value known = session.folding->fold(columns, range, "the columns");
  for (const NodeId cell : known.cells)
    out.push_back(static_cast<int>(session.folding->number(cell)));
  return out;
}

NodeId polynomial(Graph& graph, const Piece& piece, NodeId u) {
  const NodeId d = graph.binary(Op::kSub, u, graph.constant(piece.origin));
  NodeId sum = graph.constant(piece.c[3]);
  for (int k = 2; k >= 0; --k)
    sum = graph.binary(Op::kAdd, graph.constant(piece.c[k]), graph.binary(Op::kMul, d, sum));
  return sum;
}

// A balanced tree of comparisons with the knots; `leaf(i)` is what counts from knot i on.
template <class Leaf, class Silent>
struct SearchTree {
  Graph& graph;
  const std::vector<double>& knots;
  NodeId u;
  Leaf leaf;
  Silent is_silent;

  NodeId make(std::size_t first, std::size_t last) const {
    if (first == last) return leaf(first);
    const std::size_t middle = (first + last + 1) / 2;
    const NodeId below = make(first, middle - 1);
    const NodeId above = make(middle, last);
    if (below == above) return below;
    const NodeId is_above =
        graph.relation(Op::kGreaterEqual, u, graph.constant(knots[middle]), is_silent(middle));
    return graph.select(is_above, above, below);
  }
};

NodeId evaluate(Graph& graph, const PiecewiseFunction& function, NodeId u, bool is_silent) {
  return SearchTree{graph, function.knots, u,
                    [&](std::size_t i) { return polynomial(graph, function.pieces[i], u); },
                    [&](std::size_t) { return is_silent; }}
      .make(0, function.pieces.size() - 1);
}

// u moved by whole periods into the range of the table.
NodeId wrapped(Graph& graph, NodeId u, double first, double last) {
  const NodeId from_start = graph.binary(Op::kSub, u, graph.constant(first));
  const NodeId count =
      graph.unary(Op::kFloor, graph.binary(Op::kDiv, from_start, graph.constant(last - first)));
  return graph.binary(Op::kSub, u, graph.binary(Op::kMul, count, graph.constant(last - first)));
}

void assert_inside(Session& session, NodeId u, double first, double last, SourceRange range) {
  Graph& graph = *session.graph;
  const NodeId inside =
      graph.binary(Op::kAnd, graph.relation(Op::kGreaterEqual, u, graph.constant(first), true),
                   graph.relation(Op::kLessEqual, u, graph.constant(last), true));
  session.flat->assertions.push_back(
      {inside, fmt::format("the table is defined from {} to {} only", first, last), false, range});
}

}  // namespace

// ---- one dimension ----

Table1D::Table1D(Session& session, const ExternalObject& object, SourceRange range)
    : TableData(session, object, range) {
  const CheckedList<Value>& a = object.arguments;
  matrix_ = matrix(a[0], a[1], a[2]);
  columns_ = chosen_columns(session, a[3], range);
  smoothness_ = smoothness(a[4]);
  extrapolation_ = extrapolation(a[5]);
  x_ = column(matrix_, 1);
  check_ascending(x_, false);
}

Value Table1D::value(int index, NodeId u) const {
  Graph& graph = *session_.graph;
  if (index < 1 || index > static_cast<int>(columns_.size()))
    fail("index-out-of-range", "no such table column");
  const std::vector<double> y = column(matrix_, columns_[static_cast<std::size_t>(index - 1)]);
  const auto function = PiecewiseFunction::make(x_, y, smoothness_, extrapolation_);
  if (extrapolation_ == Extrapolation::kPeriodic && x_.size() > 1)
    u = wrapped(graph, u, x_.front(), x_.back());
  if (extrapolation_ == Extrapolation::kNone)
    assert_inside(session_, u, x_.front(), x_.back(), range_);
  return Value::scalar_of(BaseType::kReal, evaluate(graph, function, u, true));
}

// ---- time ----

TimeTable::TimeTable(Session& session, const ExternalObject& object, SourceRange range)
    : TableData(session, object, range) {
  const CheckedList<Value>& a = object.arguments;
  matrix_ = matrix(a[0], a[1], a[2]);
  start_time_ = number(a[3]);
  columns_ = chosen_columns(session, a[4], range);
  smoothness_ = smoothness(a[5]);
  extrapolation_ = extrapolation(a[6]);
  shift_time_ = number(a[7]);
  time_events_ = static_cast<TimeEvents>(integer(a[8]));
  x_ = column(matrix_, 1);
  check_ascending(x_, true);
}

bool TimeTable::has_event(std::size_t knot) const {
  if (smoothness_ == Smoothness::kConstant || time_events_ == TimeEvents::kAlways) return true;
  if (time_events_ == TimeEvents::kNone) return false;
  return (knot > 0 && x_[knot] == x_[knot - 1]) ||
         (knot + 1 < x_.size() && x_[knot + 1] == x_[knot]);
}

Value TimeTable::value(int index, NodeId time) const {
  Graph& graph = *session_.graph;
  if (index < 1 || index > static_cast<int>(columns_.size()))
    fail("index-out-of-range", "no such table column");
  const std::vector<double> y = column(matrix_, columns_[static_cast<std::size_t>(index - 1)]);
  const auto function = PiecewiseFunction::make(x_, y, smoothness_, extrapolation_);
  NodeId u = graph.binary(Op::kSub, time, graph.constant(shift_time_));
  if (extrapolation_ == Extrapolation::kPeriodic && x_.size() > 1)
    u = wrapped(graph, u, x_.front(), x_.back());
  if (extrapolation_ == Extrapolation::kNone)
    assert_inside(session_, u, x_.front(), x_.back(), range_);
  const bool is_eventful =
      smoothness_ == Smoothness::kConstant || time_events_ == TimeEvents::kAlways;
  const NodeId inside = SearchTree{
      graph, function.knots, u,
      [&](std::size_t i) { return polynomial(graph, function.pieces[i], u); },
      [&](std::size_t i) {
        return !is_eventful && !function.is_jump[i];
      }}.make(0, function.pieces.size() - 1);
  const NodeId has_started =
      graph.relation(Op::kGreaterEqual, time, graph.constant(start_time_), false);
  return Value::scalar_of(BaseType::kReal, graph.select(has_started, inside, graph.constant(0)));
}

// The first instant after `time` at which the table has an event.
Value TimeTable::next_event(NodeId time) const {
  constexpr double kNever = 1e60;
  Graph& graph = *session_.graph;
  const NodeId never = graph.constant(kNever);
  std::vector<double> events;
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (has_event(i) && (events.empty() || x_[i] > events.back())) events.push_back(x_[i]);
  const bool is_periodic = extrapolation_ == Extrapolation::kPeriodic && x_.size() > 1;
  const double period = x_.back() - x_.front();
  NodeId u = graph.binary(Op::kSub, time, graph.constant(shift_time_));
  NodeId shift = graph.constant(shift_time_);
  if (is_periodic) {
    const NodeId inside = wrapped(graph, u, x_.front(), x_.back());
    shift = graph.binary(Op::kAdd, shift, graph.binary(Op::kSub, u, inside));
    u = inside;
    if (!events.empty()) events.push_back(events.front() + period);
  }
  NodeId next = never;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const NodeId is_before = graph.relation(Op::kLess, u, graph.constant(*event), true);
    next = graph.select(is_before, graph.binary(Op::kAdd, graph.constant(*event), shift), next);
  }
  const NodeId start = graph.constant(start_time_);
  const NodeId is_early = graph.relation(Op::kLess, time, start, true);
  return Value::scalar_of(BaseType::kReal,
                          graph.select(is_early, graph.binary(Op::kMin, start, next), next));
}

// ---- two dimensions ----

Table2D::Table2D(Session& session, const ExternalObject& object, SourceRange range)
    : TableData(session, object, range) {
  const CheckedList<Value>& a = object.arguments;
  matrix_ = matrix(a[0], a[1], a[2]);
  smoothness_ = smoothness(a[3]);
  extrapolation_ = extrapolation(a[4]);
  if (matrix_.rows < 2 || matrix_.columns < 2)
    fail("table-empty", "a table of two variables has two rows and columns");
  if (smoothness_ != Smoothness::kLinear && smoothness_ != Smoothness::kConstant)
    session_.unsupported("smooth interpolation of tables in two dimensions is", range);
  for (int i = 1; i < matrix_.rows; ++i) x_.push_back(matrix_.at(i, 0));
  for (int j = 1; j < matrix_.columns; ++j) y_.push_back(matrix_.at(0, j));
  check_ascending(x_, false);
  check_ascending(y_, false);
}

namespace {

// Intervals of one axis: where each begins, and the two grid lines (or one) that span it.
struct Interval {
  double begin;
  int low, high;
};

std::vector<Interval> intervals(const std::vector<double>& grid, Extrapolation extrapolation) {
  const int n = static_cast<int>(grid.size());
  std::vector<Interval> out;
  const bool holds = extrapolation == Extrapolation::kHold || n == 1;
  if (holds) out.push_back({grid.front(), 0, 0});
  for (int i = 0; i + 1 < n; ++i) out.push_back({grid[static_cast<std::size_t>(i)], i, i + 1});
  if (holds && n > 1) out.push_back({grid.back(), n - 1, n - 1});
  return out;
}

std::vector<double> begins(const std::vector<Interval>& all) {
  std::vector<double> out;
  for (const Interval& interval : all) out.push_back(interval.begin);
  return out;
}

}  // namespace

Value Table2D::value(NodeId u1, NodeId u2) const {
  Graph& graph = *session_.graph;
  if (extrapolation_ == Extrapolation::kPeriodic) {
    if (x_.size() > 1) u1 = wrapped(graph, u1, x_.front(), x_.back());
    if (y_.size() > 1) u2 = wrapped(graph, u2, y_.front(), y_.back());
  }
  if (extrapolation_ == Extrapolation::kNone) {
    assert_inside(session_, u1, x_.front(), x_.back(), range_);
    assert_inside(session_, u2, y_.front(), y_.back(), range_);
  }
  const auto rows = intervals(x_, extrapolation_), columns = intervals(y_, extrapolation_);
  const auto silent = [](std::size_t) { return true; };
  // Where u lies in its interval: 0 at the low end, 1 at the high end.
  const auto share = [&](NodeId u, const std::vector<double>& grid, const Interval& interval) {
    if (interval.low == interval.high || smoothness_ == Smoothness::kConstant)
      return graph.constant(0);
    const double low = grid[static_cast<std::size_t>(interval.low)];
    const double high = grid[static_cast<std::size_t>(interval.high)];
    return graph.binary(Op::kDiv, graph.binary(Op::kSub, u, graph.constant(low)),
                        graph.constant(high - low));
  };
  const auto between = [&](NodeId t, NodeId low, NodeId high) {
    return graph.binary(Op::kAdd, low,
                        graph.binary(Op::kMul, t, graph.binary(Op::kSub, high, low)));
  };
  const auto cell = [&](int i, int j) { return graph.constant(matrix_.at(i + 1, j + 1)); };
  const NodeId result =
      SearchTree{graph, begins(rows), u1,
                 [&](std::size_t r) {
                   const Interval& row = rows[r];
                   const NodeId s = share(u1, x_, row);
                   return SearchTree{
                       graph, begins(columns), u2,
                       [&](std::size_t c) {
                         const Interval& column = columns[c];
                         const NodeId t = share(u2, y_, column);
                         return between(
                             s, between(t, cell(row.low, column.low), cell(row.low, column.high)),
                             between(t, cell(row.high, column.low), cell(row.high, column.high)));
                       },
                       silent}
                       .make(0, columns.size() - 1);
                 },
                 silent}
          .make(0, rows.size() - 1);
  return Value::scalar_of(BaseType::kReal, result);
}

Value Table2D::minimum() const {
  return Value::array_of(
      BaseType::kReal, {2},
      {session_.graph->constant(x_.front()), session_.graph->constant(y_.front())});
}

Value Table2D::maximum() const {
  return Value::array_of(
      BaseType::kReal, {2},
      {session_.graph->constant(x_.back()), session_.graph->constant(y_.back())});
}

}  // namespace hydae::modelica
