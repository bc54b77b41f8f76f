// Hand-written residuals and exact dense Jacobians for SUNDIALS IDA, of forms of index 1 (and the
// pendulum and the car axis also stabilised, of index 2) of problems in the library. Variables that
// the library has too come first.
#pragma once

#include <string>
#include <vector>

namespace hydae::bench {

// Column-major dF/dy + cj dF/dy', zero on entry.
struct DenseJacobian {
  double* values;
  int n;
  double& operator()(int i, int j) { return values[i + n * j]; }
};

struct IdaProblem {
  std::string name;
  double stop = 0;
  std::vector<double> y, yp;  // start; components the constraints determine are guesses
  std::vector<double> id;     // 1: differential, 0: algebraic
  void (*residual)(double t, const double* y, const double* yp, double* r) = nullptr;
  void (*jacobian)(double t, double cj, const double* y, const double* yp,
                   DenseJacobian J) = nullptr;
  std::vector<double> known = {};  // of the first components at `stop`
  bool is_index_2 = false;
};

IdaProblem ida_pendulum();  // x y x' y' lambda; constraint differentiated twice
IdaProblem
ida_stabilized_pendulum();  // Gear, Gupta, Leimkuhler: both constraints, one multiplier more
IdaProblem ida_car_axis();  // xl yl xr yr, velocities, two multipliers
// Stabilised; `start` is ida_car_axis() with consistent multipliers.
IdaProblem ida_stabilized_car_axis(IdaProblem start);
IdaProblem ida_andrews();  // seven angles, velocities, six multipliers
IdaProblem ida_chemakzo();

}  // namespace hydae::bench
