// The tables behind CombiTable1D, CombiTable2D and CombiTimeTable of the standard library:
// piecewise polynomials whose pieces are chosen by a search tree of if-expressions. The data are
// numbers known when the model is built.
#pragma once

#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

enum class Smoothness {
  kLinear = 1,
  kAkima,
  kConstant,
  kFritschButland,
  kSteffen,
  kModifiedAkima,
};

enum class Extrapolation { kHold = 1, kLastTwoPoints, kPeriodic, kNone };

// Rows of numbers.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<double> cells;
  double at(int row, int column) const {
    return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(column)];
  }
};

// y = c[0] + c[1]*d + c[2]*d^2 + c[3]*d^3 with d = x - origin.
struct Piece {
  double origin = 0;
  double c[4] = {0, 0, 0, 0};
  double value(double x) const;
};

// One function of one variable: pieces[i] is valid from knots[i] on, pieces.front() also before.
struct PiecewiseFunction {
  std::vector<double> knots;
  std::vector<Piece> pieces;
  std::vector<bool> is_jump;  // at the knot: there are two values

  static PiecewiseFunction make(const std::vector<double>& x, const std::vector<double>& y,
                                Smoothness smoothness, Extrapolation extrapolation);
  double value(double x) const;
};

class TableData {
 public:
  TableData(Session& session, const ExternalObject& object, SourceRange range)
      : session_(session), object_(object), range_(range) {}
  // The matrix of the arguments, or the one in the file they name.
  Matrix matrix(const Value& table_name, const Value& file_name, const Value& table);
  int integer(const Value& value) const;
  double number(const Value& value) const;
  std::vector<double> column(const Matrix& matrix, int column) const;
  Smoothness smoothness(const Value& value) const;
  Extrapolation extrapolation(const Value& value) const;
  void check_ascending(const std::vector<double>& x, bool allows_equal) const;

 protected:
  // Names the component of the table.
  [[noreturn]] void fail(const char* code, const std::string& message) const;

  Session& session_;
  const ExternalObject& object_;
  SourceRange range_;
};

class Table1D : private TableData {
 public:
  Table1D(Session& session, const ExternalObject& object, SourceRange range);
  Value value(int column, NodeId u) const;
  double minimum() const { return x_.front(); }
  double maximum() const { return x_.back(); }

 private:
  Matrix matrix_;
  std::vector<double> x_;
  std::vector<int> columns_;
  Smoothness smoothness_;
  Extrapolation extrapolation_;
};

class TimeTable : private TableData {
 public:
  TimeTable(Session& session, const ExternalObject& object, SourceRange range);
  Value value(int column, NodeId time) const;
  Value next_event(NodeId time) const;
  double minimum() const { return x_.front(); }
  double maximum() const { return x_.back(); }

 private:
  enum class TimeEvents { kAlways = 1, kAtDiscontinuities, kNone };
  bool has_event(std::size_t knot) const;

  Matrix matrix_;
  std::vector<double> x_;
  std::vector<int> columns_;
  double start_time_, shift_time_;
  Smoothness smoothness_;
  Extrapolation extrapolation_;
  TimeEvents time_events_;
};

class Table2D : private TableData {
 public:
  Table2D(Session& session, const ExternalObject& object, SourceRange range);
  Value value(NodeId u1, NodeId u2) const;
  Value minimum() const;
  Value maximum() const;

 private:
  Matrix matrix_;
  std::vector<double> x_, y_;  // of the first column, of the first row
  Smoothness smoothness_;
  Extrapolation extrapolation_;
};

}  // namespace hydae::modelica
