#include "syntax/token_stream.h"

namespace hydae::syntax {

bool TokenStream::has_line_break(std::uint32_t begin, std::uint32_t end) const {
  const std::string_view between = text_.substr(begin, end - begin);
  return begin == 0 || between.find('\n') != between.npos;
}

const Token& TokenStream::next() {
  const Token& token = tokens_[index_];
  previous_end_ = token.end;
  if (index_ + 1 < tokens_.size()) ++index_;
  return token;
}

bool TokenStream::accept(TokenKind kind) {
  if (!at(kind)) return false;
  next();
  return true;
}

}  // namespace hydae::syntax
