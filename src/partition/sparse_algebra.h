// Sparse matrix operations that keep zeros zero: an entry that is what rounding leaves of a
// cancellation is dropped, so that structure can be read off the result.
#pragma once

#include <vector>

#include <hydae/ids.h>

#include "partition/matrices.h"

namespace hydae::partition {

// The rows and columns listed, in that order.
RowMatrix select(const RowMatrix& matrix, const std::vector<EqId>& rows,
                 const std::vector<VarId>& columns);

RowMatrix product(const RowMatrix& a, const RowMatrix& b);                               // a b
RowMatrix subtract_product(const RowMatrix& a, const RowMatrix& b, const RowMatrix& c);  // a - b c

bool is_zero_row(const RowMatrix& matrix, int row);

}  // namespace hydae::partition
