#include "model/ownership.h"

#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "expr/incidence.h"

namespace hydae {
namespace {

bool is_fixed_before_start(const Contents& contents) {
  return !contents.has_variables && !contents.has_time && !contents.has_pre;
}

}  // namespace

Expr own(const ModelContent& model, const Expr& expr, const std::string& where) {
  if (!expr.is_number() && expr.graph() != &model.graph() && !model.graph().extends(*expr.graph()))
    throw UsageError(fmt::format("{}: an expression of another model", where));
  if (expr.is_number() && !std::isfinite(expr.value()))
    throw UsageError(fmt::format("{}: {} is not a finite number", where, expr.value()));
  return {model.graph(), expr.in(model.graph())};
}

Expr own_value(const ModelContent& model, const Expr& expr, const std::string& where) {
  const Expr value = own(model, expr, where);
  if (!model.graph().is_constant(value.id()) &&
      !is_fixed_before_start(contents(model.graph(), value.id())))
    throw UsageError(fmt::format("{}: {} depends on more than parameters", where,
                                 quoted(model.to_string(value))));
  return value;
}

Leaf leaf_of(const ModelContent& model, const Expr& expr, const std::string& where) {
  const Expr variable = own(model, expr, where);
  if (model.graph().op(variable.id()) != Op::kVariable)
    throw UsageError(fmt::format("{}: {} is not a variable or a derivative of one", where,
                                 quoted(model.to_string(variable))));
  return model.graph().leaf_of(variable.id());
}

}  // namespace hydae
