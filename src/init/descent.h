// What the iterative methods that go from one point to better ones share: the point and its
// residual, the linearized equations within the bounds, and how the end is judged.
#pragma once

#include <string>

#include "init/bounded_step.h"
#include "init/problem.h"
#include "init/system.h"

namespace hydae::init {

// Where a method ended.
struct Outcome {
  Status status = Status::kNotConverged;
  Vector y;
  double residual_norm = 0;
  int iterations = 0;
  bool is_unique = false;  // known: no other solution in the neighbourhood
  // Known: connected with the start, the first correction was short; none is nearer to the start.
  bool is_next = false, is_nearest = false;
  std::string detail;
};

// Judges a point where a method came to rest: solved, inconsistent, or next to a pole.
void judge(System& system, const Options& options, Outcome& outcome);

class Descent {
 public:
  Descent(System& system, const Vector& start, const Options& options);
  virtual ~Descent() = default;

  Outcome run();

 protected:
  // From y_, where f_ is the residual, to the best point it finds. Status kSolved says that the
  // method came to rest; whether the residual is zero there is for judge() to say.
  virtual void iterate(Outcome& outcome) = 0;

  System& system_;
  const Options& options_;
  Vector y_, f_;
  BoundedStep solver_;
  Matrix J_;
  Vector weight_, trial_f_;
};

}  // namespace hydae::init
