// Module: model
// The variables and parameters of a model that is built, and what is known of their values.
#pragma once

#include <string>
#include <vector>

#include <hydae/model_content.h>

namespace HYDAE_EXPORT hydae {

class Declarations : public ModelContent {
 public:
  Expr time();
  Expr variable(std::string name);  // a continuous Real
  Expr variable(Variable variable);
  std::vector<Expr> variables(const std::string& name, int count);  // name[1], name[2], ...
  void output(std::string name);  // a variable or an alias that is meant for others
  Expr parameter(std::string name, double value);
  Expr parameter(Parameter parameter);
  Expr parameter(std::string name, const Expr& binding);
  // Gives a declared parameter a binding, which may refer to parameters declared after it.
  void bind(const Expr& parameter, const Expr& binding);
  void alias(Alias alias);

  // Guess or fixed value of a variable or of its derivative: m.fix(der(x), 0.0).
  void start(const Expr& variable, const Expr& value);
  void fix(const Expr& variable, const Expr& value);
  void bounds(const Expr& variable, double min, double max);
  void nominal(const Expr& variable, double value);
  void free_at_events(const Expr& variable);

  // New value of a parameter; throws if its value shaped the model or follows from a binding.
  void set_parameter(ParamId parameter, double value);

 protected:
  using ModelContent::ModelContent;

 private:
  void set_start(const Expr& variable, const Expr& value, bool fixed);
};

}  // namespace hydae
