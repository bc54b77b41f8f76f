// Texts in which relations are marked, [[a > b]], written out in several ways that mean the same.
// What a model means does not depend on them.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hydae::marked {

enum class Form { kAsItStands, kNegated, kTurnedRound, kDifference, kBoolean, kNamedGuard };
inline constexpr std::array kForms = {Form::kAsItStands, Form::kNegated, Form::kTurnedRound,
                                      Form::kDifference, Form::kBoolean, Form::kNamedGuard};

struct Relation {
  std::string left, op, right;
};

inline Relation parse(const std::string& text) {
  for (const char* op : {">=", "<=", ">", "<"})
    if (const auto at = text.find(op); at != std::string::npos)
      return {text.substr(0, at), op, text.substr(at + std::string_view(op).size())};
  throw std::invalid_argument("no relation: " + text);
}

inline std::string opposite(const std::string& op) {
  return op == ">=" ? "<" : op == "<=" ? ">" : op == ">" ? "<=" : ">=";
}
inline std::string mirrored(const std::string& op) {
  return (op[0] == '>' ? "<" : ">") + op.substr(1);
}

// `number` makes the names of what is declared.
struct Written {
  std::string condition, declaration, equation;
};
inline Written write(const Relation& r, Form form, int number) {
  const std::string b = "marked" + std::to_string(number), g = "guard" + std::to_string(number);
  const std::string difference = "(" + r.left + ")-(" + r.right + ")";
  switch (form) {
    case Form::kNegated: return {"(not " + r.left + opposite(r.op) + r.right + ")", "", ""};
    case Form::kTurnedRound: return {"(" + r.right + mirrored(r.op) + r.left + ")", "", ""};
    case Form::kDifference: return {"(" + difference + r.op + "0)", "", ""};
    case Form::kBoolean:
      return {b, "Boolean " + b + "; ", b + "=" + r.left + r.op + r.right + "; "};
    case Form::kNamedGuard:
      return {"(" + g + r.op + "0)", "Real " + g + "; ", g + "=" + difference + "; "};
    case Form::kAsItStands: break;
  }
  return {"(" + r.left + r.op + r.right + ")", "", ""};
}

inline std::string written_out(std::string text, Form form) {
  std::string declarations, equations;
  int number = 0;
  for (auto from = text.find("[["); from != std::string::npos; from = text.find("[[", from)) {
    const auto to = text.find("]]", from);
    const Written w = write(parse(text.substr(from + 2, to - from - 2)), form, ++number);
    text.replace(from, to + 2 - from, w.condition);
    declarations += w.declaration;
    equations += w.equation;
  }
  const std::string keyword = " equation ";
  const auto at = text.find(keyword);
  text.insert(at + keyword.size(), equations);
  text.insert(at, " " + declarations);
  return text;
}

}  // namespace hydae::marked
