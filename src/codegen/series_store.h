// The series of an expansion in memory, forwards and backwards, and how a solution gets into them.
#pragma once

#include <span>
#include <vector>

#include "codegen/linked_tape.h"
#include "codegen/time_scale.h"

namespace hydae::codegen {

class SeriesStore {
 public:
  explicit SeriesStore(const LinkedTape& tape)
      : tape_(tape),
        data_(static_cast<std::size_t>(tape.data_size)),
        deltas_(static_cast<std::size_t>(tape.num_deltas)) {}

  double* data() { return data_.data(); }
  const double* data() const { return data_.data(); }
  // By which the solution of a stage changes a series: of unknowns, then of what contains them.
  double* deltas() { return deltas_.data(); }

  void load(double time, const TimeScale& scale, std::span<const double> input);
  // Order 0 of unknowns, as long as matrices are computed from it.
  void load_guesses(std::span<const double> input);
  void clear_guesses();

  // The solution of stage k of a block, times the factors of its fills.
  void store(const LinkedBlock& block, int k, const double* solution, const double* factors);
  // The same times `share`, added.
  void add(const LinkedBlock& block, int k, const double* solution, const double* factors,
           double share);
  // Series that contain unknowns, after either.
  void correct(const LinkedBlock& block, int k);

 private:
  const LinkedTape& tape_;
  std::vector<double> data_, deltas_;
};

}  // namespace hydae::codegen
