// Notation that the problem files share: variables counted from one as in the literature, lists of
// reference values with one accuracy, gravity.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <hydae/events.h>
#include <hydae/problems.h>

namespace hydae::problems {

inline constexpr double kGravity = 9.81;  // m/s^2

// y(1), y(2), ...: variables named y1, y2, ...
class Numbered {
 public:
  Numbered(Model& model, const std::string& name, int count);

  const Expr& operator()(int i) const { return items_.at(static_cast<std::size_t>(i - 1)); }
  int size() const { return static_cast<int>(items_.size()); }

 private:
  std::vector<Expr> items_;
};

// The partial derivative of an expression by one of its variables (not by a derivative of it).
Expr partial(const Expr& f, const Expr& variable);

struct NamedValue {
  std::string variable;
  double value = 0;
  int order = 0;
};

// The same accuracy for all values, absolute or relative to each value.
std::vector<ReferenceValue> absolute(double accuracy, const std::vector<NamedValue>& values);
std::vector<ReferenceValue> relative(double accuracy, const std::vector<NamedValue>& values);
// name1, name2, ... with relative accuracy.
std::vector<ReferenceValue> relative(double accuracy, const std::string& name,
                                     std::initializer_list<double> values);

}  // namespace hydae::problems
