// Rank decisions: singular values after the rows and columns have been scaled to comparable size,
// and the gap between what was kept and what was dropped, so that a reader can judge the decision.
#pragma once

#include "partition/matrices.h"

namespace hydae::partition {

// A row and column scaling that brings the largest entry of every row and column near 1
// (Ruiz 2001). Zero rows and columns get the factor 1.
struct Scaling {
  Vector rows, columns;
};
Scaling compute_scaling(const RowMatrix& matrix);
Matrix apply(const Scaling& scaling, const Matrix& matrix);
RowMatrix apply(const Scaling& scaling, const RowMatrix& matrix);

struct ScaledRank {
  int rank = 0;
  double smallest_kept = 1;    // scaled singular values, relative to the largest
  double largest_dropped = 0;  // 0 if none was dropped
};
// Singular values above `tolerance` times the largest count.
ScaledRank compute_scaled_rank(const Matrix& matrix, double tolerance);

// Left null vector of `matrix` to the smallest singular value, scaled rows taken back.
Matrix compute_left_null_space(const Matrix& matrix, double tolerance);

}  // namespace hydae::partition
