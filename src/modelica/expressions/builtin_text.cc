// String: values as text (Modelica 3.6, 3.7.1).
#include <algorithm>
#include <fmt/format.h>

#include <hydae/message.h>

#include "modelica/expressions/builtin_call.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/operator_record.h"

namespace hydae::modelica::builtin {

namespace {

TextFormat::Kind text_kind(BaseType type) {
  switch (type) {
    case BaseType::kBoolean: return TextFormat::Kind::kBoolean;
    case BaseType::kEnumeration: return TextFormat::Kind::kEnumeration;
    case BaseType::kInteger: return TextFormat::Kind::kInteger;
    default: return TextFormat::Kind::kReal;
  }
}

std::string c_format(Session& session, const std::string& given, TextFormat::Kind kind,
                     SourceRange range) {
  const std::optional<std::string> format = checked_c_format(given, kind);
  if (!format)
    session.fail("string-format", fmt::format("`{}` is no format for one number", given), range);
  return *format;
}

// The options of String, which are given by name.
TextFormat text_format(const Call& call, const Value& value) {
  TextFormat out;
  out.kind = text_kind(value.type);
  if (value.enumeration != nullptr) out.literals = value.enumeration->literals;
  for (const syntax::NamedArgument& option : call.syntax.named) {
    const std::string name = call.session.text(option.name.symbol);
    const Value given = call.session.evaluator->evaluate(*option.value, call.env);
    const auto number = [&](BaseType type) {
      if (given.type != type)
        call.session.fail(
            "type-mismatch",
            fmt::format("`{}` is {}, not {}", name, base_type_name(type), type_text(given)),
            option.value->range);
      return static_cast<int>(
          std::clamp(call.session.folding->number(call.session.folding->fold(
                         given.scalar(), option.value->range, fmt::format("`{}`", name))),
                     -1.0, 1000.0));
    };
    if (name == "significantDigits" && out.kind == TextFormat::Kind::kReal)
      out.significant_digits = number(BaseType::kInteger);
    else if (name == "minimumLength")
      out.minimum_length = number(BaseType::kInteger);
    else if (name == "leftJustified")
      out.is_left_justified = number(BaseType::kBoolean) != 0;
    else if (name == "format" && value.is_numeric())
      out.c_format = c_format(call.session, given.text(), out.kind, option.value->range);
    else
      call.session.fail("no-such-argument",
                        fmt::format("`String` of {} has no option `{}`", type_text(value), name),
                        option.name.range);
  }
  return out;
}

}  // namespace

Value to_string(const Call& call) {
  const Value given = call.value(0);
  if (given.type == BaseType::kString) return given;
  if (given.type == BaseType::kRecord) {
    OperatorRecords operators(call.session, call.env.is_silent, call.range());
    if (std::optional<Value> text = operators.to_string(given)) return std::move(*text);
  }
  if (!given.has_cells() || !given.is_scalar())
    call.session.fail("type-mismatch", fmt::format("`String` cannot convert {}", type_text(given)),
                      call.range());
  if (call.syntax.arguments.size() != 1)
    call.session.fail("argument-count", "the options of `String` are given by name", call.range());
  const TextFormat format = text_format(call, given);
  const std::optional<NodeId> known = call.session.folding->find_constant(given.scalar());
  if (known) return Value::string(to_text(call.session.folding->number(*known), format));
  return Value::string(message_placeholder(given.scalar(), format));
}

}  // namespace hydae::modelica::builtin
