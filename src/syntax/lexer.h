// Text -> tokens. Text is UTF-8, with or without a byte order mark; comments and white space
// separate tokens and are dropped. Whatever the bytes are, the result is a list of tokens that ends
// with kEndOfFile, and what is wrong is in the diagnostics, at most a hundred. Operators of other
// languages (`!=`, `&&`, `**`) are reported and read as what they mean in Modelica.
#pragma once

#include <string_view>
#include <vector>

#include <hydae/diagnostic.h>

#include "syntax/token.h"

namespace hydae::syntax {

inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;  // bytes

std::vector<Token> lex(std::string_view text, SourceId source, SymbolTable& symbols,
                       Diagnostics& diagnostics);

}  // namespace hydae::syntax
