#include "codegen/expansion.h"

#include <fmt/format.h>

#include "codegen/engine.h"

namespace hydae::codegen {

Expansion::Expansion(std::shared_ptr<const Program> program, int max_order, RowTerms terms)
    : engine_(std::make_unique<Engine>(std::move(program), max_order, terms)) {}
Expansion::~Expansion() = default;
Expansion::Expansion(Expansion&&) noexcept = default;
Expansion& Expansion::operator=(Expansion&&) noexcept = default;

const Program& Expansion::program() const { return engine_->program(); }
std::shared_ptr<const Program> Expansion::shared_program() const {
  return engine_->shared_program();
}
int Expansion::max_order() const { return engine_->max_order(); }
void Expansion::set_parameters(std::span<const double> values) { engine_->set_parameters(values); }
void Expansion::set_nominal(std::span<const double> values) { engine_->set_nominal(values); }
void Expansion::forget_past() { engine_->forget_past(); }

ExpandResult Expansion::expand(const ExpandRequest& request) { return engine_->expand(request); }
double Expansion::time() const { return engine_->time(); }
double Expansion::scale() const { return engine_->scale(); }
int Expansion::order() const { return engine_->order(); }
std::span<const double> Expansion::series(int variable) const { return engine_->series(variable); }
std::span<const double> Expansion::output_series(int output) const {
  return engine_->output_series(output);
}
std::span<const double> Expansion::state() const { return engine_->state(); }
double Expansion::first_change(double tau) const { return engine_->first_change(tau); }
std::span<const double> Expansion::displacement() const { return engine_->displacement(); }

std::string to_string(const ExpandResult& r) {
  switch (r.status) {
    case ExpandStatus::kOk: return fmt::format("ok, condition {:.2g}", r.condition);
    case ExpandStatus::kSingularBlock:
      return fmt::format("system matrix of block {} is singular (condition {:.2g})", r.block,
                         r.condition);
    case ExpandStatus::kUndefinedFunction:
      if (!r.text.empty()) return r.text;
      return fmt::format("{} is undefined or not differentiable at {:.17g} (tag {})", op_name(r.op),
                         r.argument, r.tag);
    case ExpandStatus::kNotConverged:
      if (r.block < 0) return "the projection onto the constraints does not converge";
      return fmt::format("the iteration for the leading derivatives of block {} does not converge",
                         r.block);
    case ExpandStatus::kNotFinite: return fmt::format("overflow in block {}", r.block);
  }
  return "unknown";
}

}  // namespace hydae::codegen
