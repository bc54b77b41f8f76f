// What of a hybrid model depends on the values of parameters, and is another for another run.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "compile/start_values.h"
#include "sim/hybrid_model.h"
#include "sim/settings.h"

namespace hydae {

HybridModel HybridModel::for_run(const std::vector<ParameterOverride>& parameters) const {
  HybridModel copy = *this;
  copy.origin_ = model_;
  copy.model_ = std::make_shared<Model>(model_->extended());
  if (parameters.empty()) return copy;
  set_parameters(*copy.model_, parameters);
  copy.read_contact_numbers();
  return copy;
}

// The right side of the equation of an input becomes the polynomial of its piece.
void HybridModel::drive_inputs() {
  Graph& nodes = graph();
  std::size_t first = num_parameters();
  const auto slot = [&](std::size_t k) { return nodes.parameter(ParamId(first + k)); };
  for (const ModelInput& input : model_->inputs()) {
    const VariableKind kind = model_->all_variables()[model_->variable_of(input)].kind;
    inputs_.push_back({input.name, kind, model_->equations()[input.equation].rhs, first});
    const std::size_t last =
        kind == VariableKind::kReal ? num_input_coefficients_ - 1 : 0;  // coefficient
    const NodeId x = nodes.binary(Op::kMul, nodes.binary(Op::kSub, nodes.time(), slot(0)), slot(1));
    NodeId value = slot(2 + last);
    for (std::size_t k = last; k-- > 0;)
      value = nodes.binary(Op::kAdd, nodes.binary(Op::kMul, value, x), slot(2 + k));
    model_->drive(input, Expr(nodes, value));
    first += 2 + num_input_coefficients_;
  }
}

void HybridModel::read_contact_numbers() {
  if (contact_numbers_.empty()) return;
  const std::vector<double> parameters = model_->parameter_values();
  for (const ContactNumber& number : contact_numbers_) read_contact_number(number, parameters);
}

// A number of a contact that is constant and within its range.
void HybridModel::read_contact_number(const ContactNumber& number,
                                      const std::vector<double>& parameters) {
  using Kind = ContactNumber::Kind;
  HybridContact& contact = contacts_[number.contact];
  double unused = 0, least = 0, largest = HUGE_VAL;
  double* place = &unused;
  std::string what;
  switch (number.kind) {
    case Kind::kRestitution: what = "restitution", place = &contact.restitution, largest = 1; break;
    case Kind::kFriction: what = "friction coefficient", place = &contact.friction->mu; break;
    case Kind::kStaticFriction:
      what = "static friction coefficient", least = contact.friction->mu;
      break;
    case Kind::kTangentialRestitution:
      what = "tangential restitution", place = &contact.friction->restitution, largest = 1;
      break;
  }
  const auto value = number_of(*model_, number.value, parameters);
  if (value && *value >= least && *value <= largest) {
    *place = *value;
    return;
  }
  std::string code = what;
  std::replace(code.begin(), code.end(), ' ', '-');
  Diagnostics diagnostics;
  diagnostics.error(
      code.c_str(),
      fmt::format("contact `{}`: the {} {} is not {}", contact.name, what,
                  value ? fmt::format("{:.6g}", *value) : quoted(model_->to_string(number.value)),
                  std::isfinite(largest) ? fmt::format("between {:.6g} and {:.6g}", least, largest)
                                         : fmt::format("at least {:.6g}", least)),
      number.source);
  throw ModelError(std::move(diagnostics));
}

}  // namespace hydae
