// The tokens of one file with a place in them: looking, taking, and what stands where.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <hydae/source.h>

#include "syntax/token.h"

namespace hydae::syntax {

class TokenStream {
 public:
  TokenStream(std::string_view text, SourceId source, std::vector<Token> tokens)
      : text_(text), source_(source), tokens_(std::move(tokens)) {}

  // Looking.
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
  }
  TokenKind kind(std::size_t ahead = 0) const { return peek(ahead).kind; }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool at(TokenKind first, TokenKind second) const { return at(first) && kind(1) == second; }
  bool at_end() const { return at(TokenKind::kEndOfFile); }
  std::size_t index() const { return index_; }
  // Whether a line break stands before this token.
  bool is_on_new_line() const { return has_line_break(previous_end_, begin()); }
  bool has_line_break(std::uint32_t begin, std::uint32_t end) const;
  std::string_view text(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  // Taking.
  const Token& next();
  bool accept(TokenKind kind);
  void skip_to_end() { index_ = tokens_.size() - 1; }

  // Places.
  std::uint32_t begin() const { return peek().begin; }
  std::uint32_t previous_end() const { return previous_end_; }
  SourceRange range() const { return range(peek()); }
  SourceRange range(const Token& token) const { return {source_, token.begin, token.end}; }
  // From `begin` to the end of the last token taken.
  SourceRange range_from(std::uint32_t begin) const {
    return {source_, begin, std::max(begin, previous_end_)};
  }
  // Between the last token taken and this one: where something is missing.
  SourceRange gap() const { return {source_, previous_end_, previous_end_}; }

 private:
  std::string_view text_;
  SourceId source_;
  std::vector<Token> tokens_;
  std::size_t index_ = 0;
  std::uint32_t previous_end_ = 0;
};

}  // namespace hydae::syntax
