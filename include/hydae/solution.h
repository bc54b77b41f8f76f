// Module: sim
// The solution of a run as what it is: polynomials over the steps, and events between them. Whoever
// wants values at times that are not known beforehand takes it instead of, or beside, the rows of a
// table.
//
//     DenseSolution solution;
//     options.sinks.solution = &solution;
//     simulate(model, options);
//     solution.value("x", 0.3217);
//     solution.value("v", 1.0, Limit::kLeft);     // before an event at t = 1
//     solution.derivative("x", 0.3217);
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hydae/export.h>
#include <hydae/limit.h>
#include <hydae/trajectory.h>

namespace HYDAE_EXPORT hydae {

struct EventRecord;

// The solution from one time to another, without an event in between: of each column a polynomial
// in (t - from) / (to - from). In a run backwards `to` lies before `from`.
struct SolutionPiece {
  double from = 0, to = 0;
  std::size_t num_coefficients = 0;
  std::span<const double> coefficients;  // column by column, ascending powers
};

// Receives the solution piece by piece, in the order of the run. Each piece begins where the last
// one has ended. What it throws ends the run.
class SolutionSink {
 public:
  virtual ~SolutionSink() = default;
  // Once, before the first piece: the columns are those of the trajectory.
  virtual void begin(std::span<const Column> columns) = 0;
  // What the span refers to is gone after the call. A piece without extent (from = to) is the right
  // limit of an event at which the run ends.
  virtual void add_piece(const SolutionPiece& piece) = 0;
  // Behind the piece that ends at it.
  virtual void add_event(const EventRecord& event) = 0;
};

// Keeps all pieces. Accuracy is that of the run: a piece differs from the solution of the step by
// less than a tenth of the tolerance.
class DenseSolution : public SolutionSink {
 public:
  void begin(std::span<const Column> columns) override;
  void add_piece(const SolutionPiece& piece) override;
  void add_event(const EventRecord& event) override;

  bool empty() const { return pieces_.empty(); }
  const std::vector<Column>& columns() const { return columns_; }
  double start() const;  // where the run has begun
  double end() const;    // where it has ended
  const std::vector<double>& event_times() const { return event_times_; }
  std::size_t num_pieces() const { return pieces_.size(); }

  // At a time of the run; UsageError for other times and for names that are not there. Where no
  // event is, both limits agree but for errors.
  double value(std::string_view name, double t, Limit limit = Limit::kRight) const;
  // The derivative of the polynomial: of a variable whose der(x) is a column, value("der(x)", t) is
  // more accurate.
  double derivative(std::string_view name, double t, Limit limit = Limit::kRight) const;
  // Of all columns.
  std::vector<double> values(double t, Limit limit = Limit::kRight) const;

 private:
  struct Piece {
    double from, to;
    std::size_t first, num_coefficients;  // in coefficients_
  };
  const Piece& piece_at(double t, Limit limit) const;
  std::size_t column(std::string_view name) const;
  std::span<const double> polynomial(const Piece& piece, std::size_t column) const;

  std::vector<Column> columns_;
  std::map<std::string, std::size_t, std::less<>> places_;  // of columns, by name
  std::vector<Piece> pieces_;
  std::vector<double> coefficients_, event_times_;
};

}  // namespace hydae
