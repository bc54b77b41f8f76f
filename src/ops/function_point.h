// Values and derivatives of a function that exists as code, at one point. Its own jacobian is used
// if it has one; what is missing comes from central differences: first derivatives are then good to
// about 10 digits, second ones to about 5 (10 with a jacobian), at arguments of the order of 1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <hydae/function.h>

namespace hydae {

class FunctionPoint {
 public:
  // `order` of the highest derivative wanted: 0, 1 or 2. The function must outlive this object.
  FunctionPoint(const Function& function, int order);

  // Throws what the function throws. Next to the edge of its domain a difference is one-sided.
  void evaluate(std::span<const double> in);
  // The same, but failure is what it returns: "f(1, 2): what was thrown", "f(1, 2) returns nan";
  // empty if all went well.
  std::string try_evaluate(std::span<const double> in);

  double output(int i) const { return outputs_[i]; }
  double derivative(int i, int j) const { return jacobian_[i * n_ + j]; }
  double derivative(int i, int j, int k) const { return hessian_[(i * n_ + j) * n_ + k]; }
  int order() const { return order_; }
  const Function& function() const { return *function_; }

 private:
  using Map = void (FunctionPoint::*)(std::span<double> out);
  void call(std::span<double> out) { function_->evaluate(in_, out); }
  void call_jacobian(std::span<double> out) { function_->jacobian(in_, out); }
  bool try_map(Map map, int input, double value, std::span<double> out);
  void difference(Map map, int input, std::span<const double> here, std::span<double> slope);
  void compute_jacobian();
  void compute_hessian_from_jacobian();
  void compute_hessian_from_values();

  const Function* function_;
  int order_, n_, m_;  // highest derivative, inputs, outputs
  std::vector<double> in_, outputs_, jacobian_, hessian_;
  std::vector<double> plus_, minus_, slope_;  // scratch
};

}  // namespace hydae
