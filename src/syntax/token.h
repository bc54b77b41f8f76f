// Lexical units of Modelica 3.6 (A.1).
#pragma once

#include <cstdint>
#include <string_view>

#include "syntax/symbol.h"

namespace hydae::syntax {

enum class TokenKind : std::uint8_t {
  // clang-format off
  kEndOfFile, kInvalid, kIdent, kInteger, kReal, kString,  // kInvalid: reported by the lexer

  // Keywords, in alphabetical order.
  kAlgorithm, kAnd, kAnnotation, kBlock, kBreak, kClass, kConnect, kConnector, kConstant,
  kConstrainedby, kDer, kDiscrete, kEach, kElse, kElseif, kElsewhen, kEncapsulated, kEnd,
  kEnumeration, kEquation, kExpandable, kExtends, kExternal, kFalse, kFinal, kFlow, kFor,
  kFunction, kIf, kImport, kImpure, kIn, kInitial, kInner, kInput, kLoop, kModel, kNot,
  kOperator, kOr, kOuter, kOutput, kPackage, kParameter, kPartial, kProtected, kPublic, kPure,
  kRecord, kRedeclare, kReplaceable, kReturn, kStream, kThen, kTrue, kType, kWhen, kWhile,
  kWithin,

  // Operators and punctuation.
  kLeftParen, kRightParen, kLeftBracket, kRightBracket, kLeftBrace, kRightBrace,
  kSemicolon, kComma, kDot, kColon, kEquals, kAssign,
  kPlus, kMinus, kStar, kSlash, kCaret, kDotPlus, kDotMinus, kDotStar, kDotSlash, kDotCaret,
  kLess, kLessEqual, kGreater, kGreaterEqual, kEqualEqual, kNotEqual,
  // clang-format on
};

struct Token {
  TokenKind kind = TokenKind::kEndOfFile;
  std::uint32_t begin = 0;  // bytes [begin, end) of the text
  std::uint32_t end = 0;
  Symbol symbol;  // of an identifier
};

inline constexpr TokenKind kFirstKeyword = TokenKind::kAlgorithm;
inline constexpr TokenKind kLastKeyword = TokenKind::kWithin;

constexpr bool is_keyword(TokenKind kind) { return kind >= kFirstKeyword && kind <= kLastKeyword; }

constexpr bool is_operator(TokenKind kind) { return kind >= TokenKind::kPlus; }

// As written, for keywords, operators and punctuation; "" for the rest.
std::string_view spelling(TokenKind kind);
// The keyword spelled `word`, else kIdent.
TokenKind keyword_or_ident(std::string_view word);

}  // namespace hydae::syntax
