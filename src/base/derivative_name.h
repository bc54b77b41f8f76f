// How a derivative is called wherever it is named: columns of results, start values, messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace hydae {

// "x", "der(x)", "der(x,2)"
std::string derivative_name(std::string_view name, int order);

// The inverse; blanks beside the comma do not matter. What is not of the form der(NAME) or
// der(NAME,ORDER) with a positive order is a name.
std::pair<std::string, int> parse_derivative_name(std::string_view text);

}  // namespace hydae
