// Values of number tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hydae::syntax {

// The value of digits; nothing above 2^63 - 1.
std::optional<std::int64_t> integer_value(std::string_view digits);

// The double nearest to an UNSIGNED-REAL (A.1), 0 below the smallest one; nothing above the
// largest.
std::optional<double> real_value(std::string_view text);

}  // namespace hydae::syntax
