#include "modelica/flat/flat_names.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace hydae::modelica {

namespace {

bool is_identifier(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  static const std::vector<std::string> kReserved = {
      "algorithm",   "and",          "annotation", "block",       "break",
      "class",       "connect",      "connector",  "constant",    "constrainedby",
      "der",         "discrete",     "each",       "else",        "elseif",
      "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
      "expandable",  "extends",      "external",   "false",       "final",
      "flow",        "for",          "function",   "if",          "import",
      "impure",      "in",           "initial",    "inner",       "input",
      "loop",        "model",        "not",        "operator",    "or",
      "outer",       "output",       "package",    "parameter",   "partial",
      "protected",   "public",       "pure",       "record",      "redeclare",
      "replaceable", "return",       "stream",     "then",        "true",
      "type",        "when",         "while",      "within",      "time",
      "Real",        "Integer",      "Boolean",    "String"};
  return std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

}  // namespace

std::string identifier(const std::string& name) {
  if (is_identifier(name)) return name;
  std::string out = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string flat_function_name(const std::string& name) { return identifier(name + "()"); }

std::string function_name_of(const std::string& written) {
  return written.ends_with("()") ? written.substr(0, written.size() - 2) : written;
}

}  // namespace hydae::modelica
