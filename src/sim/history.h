// The past of a signal, for delay(): one polynomial for each step that was taken.
#pragma once

#include <deque>
#include <span>
#include <vector>

namespace hydae {

class StepOutputs;

struct PastPiece {
  double start = 0, end = 0;  // of validity
  double origin = 0, scale = 1;
  std::vector<double> coefficients;  // in (t - origin) / scale
  // The signal of the step that is being made, not of the past.
  bool is_ahead = false;
};

double value_in(const PastPiece& piece, double t);

// An output over the part [0, until] of a step, in pieces that are accurate to `rtol` of their own
// size with `num_coefficients` each.
struct PieceRequest {
  double until = 1;
  std::size_t num_coefficients = 0;
  double rtol = 0;
};
std::vector<PastPiece> pieces_of(StepOutputs& outputs, std::size_t output,
                                 const PieceRequest& request);

class History {
 public:
  History() = default;
  explicit History(std::deque<PastPiece> pieces) : pieces_(std::move(pieces)) {}
  const std::deque<PastPiece>& pieces() const { return pieces_; }

  // Before `time` the signal has this value.
  void begin(double time, double value);
  // What was known from piece.start on is replaced. Each end of a piece costs an event, whose short
  // steps would be pieces that cost the next ones, round any loop of delays. So what one polynomial
  // says as well, to much less than `rtol` of its size, is one piece.
  void add(PastPiece piece, double rtol = 0);
  // From `time` on the signal has this value, until it is said to change.
  void hold(double time, double value);
  // The piece that is valid from s on.
  const PastPiece& at(double s) const;
  double value(double s) const;
  // The piece before that one.
  const PastPiece& before(double s) const;
  // Pieces that end before s are forgotten, except the last one.
  void forget_before(double s);

 private:
  std::deque<PastPiece> pieces_;
};

}  // namespace hydae
