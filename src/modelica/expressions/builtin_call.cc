#include "modelica/expressions/builtin_call.h"

#include <cmath>
#include <fmt/format.h>

#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica::builtin {

const syntax::Expr* Call::find_argument(std::size_t position, const char* label) const {
  if (position < syntax.arguments.size()) return syntax.arguments[position];
  const Symbol symbol = session.workspace.intern(label);
  for (const syntax::NamedArgument& argument : syntax.named)
    if (argument.name.symbol == symbol) return argument.value;
  return nullptr;
}

const syntax::Expr& Call::argument(std::size_t position, const char* label) const {
  const syntax::Expr* found = find_argument(position, label);
  if (found == nullptr)
    session.fail("missing-argument", fmt::format("`{}` needs an argument {}", name, position + 1),
                 range());
  return *found;
}

void Call::expect_arguments(std::size_t least, std::size_t most) const {
  const std::size_t count = syntax.arguments.size() + syntax.named.size();
  if (count >= least && count <= most) return;
  session.fail(
      "argument-count",
      fmt::format("`{}` has {} argument{}, not {}", name,
                  least == most ? std::to_string(least) : fmt::format("{} to {}", least, most),
                  most == 1 ? "" : "s", count),
      range());
}

Value Call::value(std::size_t position, const char* label) const {
  return session.evaluator->evaluate(argument(position, label), env);
}

NodeId Call::real(std::size_t position, const char* label) const {
  return session.evaluator->scalar(argument(position, label), env, BaseType::kReal,
                                   fmt::format("argument {} of `{}`", position + 1, name));
}

int Call::known_integer(std::size_t position, const char* label) const {
  const syntax::Expr& expr = argument(position, label);
  const std::string what = fmt::format("argument {} of `{}`", position + 1, name);
  const NodeId node = session.evaluator->scalar(expr, env, BaseType::kInteger, what);
  const double number = session.folding->number(session.folding->fold(node, expr.range, what));
  if (std::abs(number) > static_cast<double>(session.limits.array_elements))
    session.fail("array-size", fmt::format("{} is too large", what), expr.range);
  return static_cast<int>(number);
}

int Call::known_size(std::size_t position, const char* label) const {
  const int size = known_integer(position, label);
  if (size < 0)
    session.fail("array-size", fmt::format("{} is no size", size), argument(position, label).range);
  return size;
}

Sizes Call::known_sizes(std::size_t first) const {
  if (!syntax.named.empty() || syntax.arguments.size() <= first)
    session.fail(
        "argument-count",
        fmt::format("`{}` needs {}sizes, by position", name, first == 0 ? "" : "a value and "),
        range());
  Sizes sizes;
  for (std::size_t i = first; i < syntax.arguments.size(); ++i) sizes.push_back(known_size(i));
  return sizes;
}

}  // namespace hydae::modelica::builtin
