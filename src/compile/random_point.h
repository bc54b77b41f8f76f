// Random points near the start values of a model. The value of a leaf is a pure function of the
// point, so that a point can be asked for derivatives that nobody thought of when it was made.
#pragma once

#include <cstdint>
#include <vector>

#include <hydae/expr.h>
#include <hydae/model.h>

namespace hydae {

// The start values, nominal values and bounds of a model as numbers.
class SampleSpace {
 public:
  // `table`: values of parameters; empty for those of the model.
  explicit SampleSpace(const Model& model, std::vector<double> table = {});

 private:
  friend class SamplePoint;
  struct Centre {
    std::vector<double> starts;  // by order
    double nominal = 1;
    double min = 0, max = 0;
  };
  std::vector<double> parameters_;
  std::vector<Centre> centres_;
  double start_time_ = 0;
};

// A point of a space that outlives it.
class SamplePoint {
 public:
  // `attempt` 0, 1, ...: later attempts stay closer to the start values; every third one leaves
  // them.
  SamplePoint(const SampleSpace& space, int attempt);

  double time() const { return time_; }
  const std::vector<double>& parameters() const { return space_->parameters_; }
  double value(Leaf leaf) const;
  // The start value that was given, unless it is zero, where formulas are often singular.
  double start_or_value(Leaf leaf) const;
  std::vector<double> values(const std::vector<Leaf>& leaves) const;

 private:
  // Uniform in [-1, 1].
  double random(std::uint64_t a, std::uint64_t b) const;

  const SampleSpace* space_;
  std::uint64_t seed_;
  double spread_ = 0.5;       // relative
  bool is_relative_ = false;  // to the start value rather than to the nominal one
  // Around the nominal values: at a poor guess (tanh(x) at 100) all derivatives may vanish.
  bool is_elsewhere_ = false;
  double time_ = 0;
};

// How many attempts are worth making.
inline constexpr int kMostSampleAttempts = 24;

}  // namespace hydae
