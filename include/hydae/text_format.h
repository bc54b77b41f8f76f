// Module: model
// How a value is written as text: the operator String of Modelica (3.6, section 3.7.1).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

struct TextFormat {
  enum class Kind { kReal, kInteger, kBoolean, kEnumeration };
  Kind kind = Kind::kReal;
  std::vector<std::string> literals = {};  // of an enumeration: value 1 is the first
  int significant_digits = 6;
  int minimum_length = 0;
  bool is_left_justified = true;
  std::string c_format =
      {};  // as of printf, without `%`: "" unless it is used instead of the others
};

// "6.3f", "%8.3e", "-10d" without `%` if it is a format for one number of this kind; nothing if it
// is not, or asks for more than a thousand characters.
std::optional<std::string> checked_c_format(const std::string& given, TextFormat::Kind kind);

std::string to_text(double value, const TextFormat& format);

}  // namespace hydae
