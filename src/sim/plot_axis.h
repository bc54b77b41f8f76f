// An axis of a plot: the range of the data, round numbers in it, and where they lie.
#pragma once

#include <string>
#include <vector>

namespace hydae {

struct Range {
  double low = 0, high = 1;
};

// The range of the finite numbers among `values`, made wide enough to draw where they are all but
// equal; 0 .. 1 if there are none.
class RangeFinder {
 public:
  void add(double value);
  Range range() const;              // from the least to the greatest
  Range range_with_margin() const;  // with some room on both sides

 private:
  bool is_empty_ = true;
  double low_ = 0, high_ = 0;
};

struct AxisMark {
  double value = 0;
  std::string text;
};

// Multiples of 1, 2 or 5 times a power of ten within the range, about `most` of them.
std::vector<AxisMark> marks_of(const Range& range, int most);

}  // namespace hydae
