// The RLC ladder of bdf_bench as somebody would write it directly for IDA and KLU: two unknowns per
// section, i_k and v_k.
#pragma once

namespace hydae {

class LadderByHand {
 public:
  static constexpr double kR = 0.1, kL = 1e-3, kC = 1e-3, kLoad = 1.0, kOmega = 20.0;

  struct Setting {
    int sections;
    double stop, rtol, atol;
  };
  explicit LadderByHand(Setting setting) : setting_(setting) {}

  void integrate();

  double seconds() const { return seconds_; }
  long steps() const { return steps_; }
  double first_voltage() const { return first_voltage_; }

 private:
  Setting setting_;
  double seconds_ = 0, first_voltage_ = 0;
  long steps_ = 0;
};

}  // namespace hydae
