// Predefined operators about connections and places in the model.
#include "modelica/components/components.h"
#include "modelica/connections/connections.h"
#include "modelica/expressions/builtin_call.h"

namespace hydae::modelica::builtin {

Value cardinality(const Call& call) {
  call.expect_arguments(1, 1);
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&call.argument(0));
  if (reference == nullptr)
    call.session.fail("type-mismatch", "`cardinality` needs a connector", call.range());
  return call.session.evaluator->integer(
      call.session.connections->cardinality(*reference, call.env));
}

Value rooted(const Call& call) {
  call.expect_arguments(1, 1);
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&call.argument(0));
  if (reference == nullptr)
    call.session.fail("type-mismatch", "`rooted` needs a part of a connector", call.range());
  return call.session.evaluator->boolean(
      call.session.connections->overdetermined().is_rooted(*reference, call.env));
}

Value in_stream(const Call& call) {
  call.expect_arguments(1, 1);
  Value out = call.value(0);
  for (NodeId& cell : out.cells)
    cell = call.session.connections->streams().in_stream(cell, call.range());
  return out;
}

Value actual_stream(const Call& call) {
  call.expect_arguments(1, 1);
  Value out = call.value(0);
  for (NodeId& cell : out.cells)
    cell =
        call.session.connections->streams().actual_stream(cell, call.env.is_silent, call.range());
  return out;
}

Value get_instance_name(const Call& call) {
  const Instance& instance = *call.env.scope->whole;
  const std::string path = call.session.components->path(instance);
  const std::string model = call.session.model == nullptr || call.session.model->def == nullptr
                                ? ""
                                : call.session.text(call.session.model->def->name);
  return Value::string(path.empty() ? model : model + "." + path);
}

}  // namespace hydae::modelica::builtin
