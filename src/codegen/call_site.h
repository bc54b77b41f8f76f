// A call of code in a linked tape: its Taylor coefficients. With arguments v(tau) = sum v_i tau^i
// the coefficients of w = f(v) are
//     w_0 = f(v_0),  w_1 = J v_1,  w_m = J v_m + [tau^m] f(v_0 + v_1 tau + ... + v_{m-1}
//     tau^{m-1}),
// and the last bracket comes from differences along the curve. Its relative error is about
// eps^(2/(m+2)); tau = 1 is about one step, so that it counts little where it is large
// (docs/math/mixed-models.md).
#pragma once

#include <string>
#include <vector>

#include "codegen/black_box.h"

namespace hydae::codegen {

class CallSite {
 public:
  // Where coefficient 0 of a result is: coefficient m is at out + m and at rev - m.
  struct Result {
    int out = 0, rev = 0;
  };

  // Places of the arguments, of the outputs and of the matrix J, row by row.
  CallSite(BlackBox code, std::vector<int> arguments, std::vector<Result> outputs,
           std::vector<Result> partials);

  // Coefficients 0 of the outputs, and J. False: see failure().
  bool evaluate(double* data);
  // Coefficients m > 0; NaN where the code is undefined around v_0.
  void expand(double* data, int m);

  const std::string& failure() const { return failure_; }

 private:
  enum class Side { kBoth, kAfter, kBefore };

  void difference(const double* data, int m);
  double spacing(const double* data, int m, int order) const;
  bool try_difference(const double* data, int m, int order, double h, Side side);
  bool sample(const double* data, int m, double tau);

  BlackBox code_;
  std::vector<int> arguments_;
  std::vector<Result> outputs_, partials_;
  std::string failure_;
  std::vector<double> in_, slope_, out_, jacobian_, sample_, sum_;  // of one call
};

}  // namespace hydae::codegen
