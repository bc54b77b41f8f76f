#include "sim/message.h"

#include <fmt/format.h>

#include <hydae/message.h>

namespace hydae {

std::string message_at(const HybridModel& model, const std::string& message,
                       const EvaluationContext& instant) {
  if (!has_placeholder(message)) return message;
  const Message parsed = parse_message(message);
  std::vector<NodeId> roots;
  for (const MessageNumber& number : parsed.numbers) roots.push_back(number.value);
  CompiledExpressions list(model, std::move(roots));
  return message_text(parsed, list.evaluate(instant));
}

std::string assertion_at(const HybridModel& model, const std::string& message, SourceRange source,
                         const EvaluationContext& instant) {
  const std::string text = message_at(model, message, instant);
  const auto& sources = model.model().sources;
  const std::string place = sources ? sources->place(source) : std::string();
  return place.empty() ? text : fmt::format("{} ({})", text, place);
}

}  // namespace hydae
