// Steps of a run as polynomials for a SolutionSink: of all columns over the same parts of a step,
// so short that each is as accurate as the run. They are made of values, at Chebyshev points: so
// they do not depend on who has made the step, and observed variables have them too.
#pragma once

#include <functional>
#include <vector>

#include <hydae/solution.h>

namespace hydae {

class SolutionPieces {
 public:
  // Nothing is done without a sink. A piece is good to a tenth of `rtol` of the largest value that
  // its column has had.
  SolutionPieces(SolutionSink* sink, std::span<const Column> columns, double rtol);

  using Row = std::function<std::span<const double>(double t)>;  // good until the next call
  bool is_on() const { return sink_ != nullptr; }
  // The run begins here.
  void begin_at(double t) { reached_ = t; }
  // The solution is `row` from where the last piece ended up to t.
  void add_until(double t, const Row& row);
  // Nothing is known from there to t: the limit of events that accumulate is extrapolated.
  void skip_to(double t);
  // The values at which the run has ended.
  void end_at(double t, std::span<const double> row);
  void add_event(const EventRecord& event) {
    if (sink_ != nullptr) sink_->add_event(event);
  }

 private:
  struct Part {
    double from, to;
    // Of each column: the remainder of the part around this one, and how many times in a row it has
    // not become smaller by division.
    std::vector<double> remainders;
    std::vector<int> stalls;
  };
  void sample(double from, double to, const Row& row);
  bool is_followed(Part& part);
  void add_part(Part part, double smallest, const Row& row);

  SolutionSink* sink_;
  std::size_t num_columns_;
  double rtol_;
  double reached_ = 0;
  std::vector<double> scales_;  // of columns: the largest value so far
  std::vector<double> values_, coefficients_, last_row_;
};

}  // namespace hydae
