#include "syntax/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace hydae::syntax {
namespace {

using testing::ElementsAre;

struct Lexed {
  explicit Lexed(std::string input) : source(sources.add("a.mo", std::move(input))) {
    tokens = lex(sources.text(source), source, symbols, diagnostics);
  }
  std::vector<std::string> words() const {
    std::vector<std::string> out;
    for (const Token& t : tokens)
      if (t.kind != TokenKind::kEndOfFile) out.emplace_back(sources.text({source, t.begin, t.end}));
    return out;
  }
  std::vector<TokenKind> kinds() const {
    std::vector<TokenKind> out;
    for (const Token& t : tokens) out.push_back(t.kind);
    return out;
  }
  std::string messages() const { return render(diagnostics, &sources); }

  SourceSet sources;
  SymbolTable symbols;
  Diagnostics diagnostics;
  SourceId source;
  std::vector<Token> tokens;
};

TEST(Lexer, takes_the_longest_token) {
  EXPECT_THAT(Lexed("2.*{1}.*x<>y<=z:=a==b.^c").words(),
              ElementsAre("2.", "*", "{", "1", "}", ".*", "x", "<>", "y", "<=", "z", ":=", "a",
                          "==", "b", ".^", "c"));
}

TEST(Lexer, knows_every_form_of_number) {
  // The five spellings of 13 in 2.4.1, and numbers that touch a keyword.
  const Lexed lexed("13. 13E0 1.3e1 0.13E2 .13E2 13 1e+5 1E-5 1then 2.else");
  EXPECT_THAT(lexed.words(), ElementsAre("13.", "13E0", "1.3e1", "0.13E2", ".13E2", "13", "1e+5",
                                         "1E-5", "1", "then", "2.", "else"));
  EXPECT_THAT(lexed.kinds(),
              ElementsAre(TokenKind::kReal, TokenKind::kReal, TokenKind::kReal, TokenKind::kReal,
                          TokenKind::kReal, TokenKind::kInteger, TokenKind::kReal, TokenKind::kReal,
                          TokenKind::kInteger, TokenKind::kThen, TokenKind::kReal, TokenKind::kElse,
                          TokenKind::kEndOfFile));
  EXPECT_EQ(lexed.messages(), "");
}

TEST(Lexer, reads_all_keywords_and_nothing_else_as_keyword) {
  for (int k = static_cast<int>(kFirstKeyword); k <= static_cast<int>(kLastKeyword); ++k) {
    const auto kind = static_cast<TokenKind>(k);
    EXPECT_EQ(keyword_or_ident(spelling(kind)), kind);
    EXPECT_EQ(keyword_or_ident(std::string(spelling(kind)) + "x"), TokenKind::kIdent);
    EXPECT_EQ(keyword_or_ident("x" + std::string(spelling(kind))), TokenKind::kIdent);
  }
  EXPECT_EQ(keyword_or_ident("Model"), TokenKind::kIdent);
  EXPECT_EQ(keyword_or_ident("i"), TokenKind::kIdent);
}

TEST(Lexer, quotes_belong_to_a_name_and_redundant_escapes_do_not) {
  const Lexed lexed(R"('x' x 'a\?' 'a?' 'q\"' 'q"' 'it\'s')");
  ASSERT_EQ(lexed.tokens.size(), 8u);
  const auto symbol = [&](int i) { return lexed.tokens[i].symbol; };
  EXPECT_NE(symbol(0), symbol(1));
  EXPECT_EQ(symbol(2), symbol(3));
  EXPECT_EQ(symbol(4), symbol(5));
  EXPECT_EQ(lexed.symbols.text(symbol(6)), R"('it\'s')");
  EXPECT_EQ(lexed.messages(), "");
}

TEST(Lexer, skips_comments_blanks_and_a_byte_order_mark) {
  EXPECT_THAT(
      Lexed("\xEF\xBB\xBF a // \xFF any bytes \" ' /*\r\n\tb /* ** // \xC0 */ c /**/").words(),
      ElementsAre("a", "b", "c"));
}

TEST(Lexer, strings_may_hold_line_breaks_escapes_and_unicode) {
  const Lexed lexed("\"a\nb\" \"\\\"\\\\\" \"\xC3\xA4\" \"\"");
  EXPECT_THAT(lexed.words(), ElementsAre("\"a\nb\"", "\"\\\"\\\\\"", "\"\xC3\xA4\"", "\"\""));
  EXPECT_EQ(lexed.messages(), "");
}

TEST(Lexer, reports_what_is_wrong_inside_a_string) {
  EXPECT_EQ(Lexed(R"("a\d")").messages(),
            "a.mo:1:3: error: unknown escape sequence in a string [invalid-escape]\n"
            "    1 | \"a\\d\"\n"
            "      |   ^^\n"
            "   help: a backslash itself is written `\\\\`\n");
  EXPECT_EQ(Lexed("\"\x80\"").messages(),
            "a.mo:1:2: error: byte 0x80 is not valid UTF-8 [invalid-character]\n"
            "    1 | \"\x80\"\n"
            "      |  ^ in this string\n");
}

TEST(Lexer, goes_on_at_a_line_with_a_keyword_after_an_unclosed_string_or_comment) {
  const Lexed string("model A \"x\n  Real y;\nend A;");
  EXPECT_THAT(string.words(), ElementsAre("model", "A", "\"x\n  Real y;\n", "end", "A", ";"));
  EXPECT_EQ(string.messages(),
            "a.mo:1:9: error: this string has no end [unterminated]\n"
            "    1 | model A \"x\n"
            "      |         ^\n"
            "   help: close it with `\"`\n");
  const Lexed comment("model A /*\n  Real y;\nend A;");
  EXPECT_THAT(comment.words(), ElementsAre("model", "A", "end", "A", ";"));
  EXPECT_EQ(comment.messages(),
            "a.mo:1:9: error: this comment has no end [unterminated]\n"
            "    1 | model A /*\n"
            "      |         ^^\n"
            "   help: close it with `*/`\n");
}

TEST(Lexer, a_quoted_name_ends_on_its_line) {
  EXPECT_EQ(Lexed("'ab\nc").messages(),
            "a.mo:1:1: error: this quoted name has no end on its line [unterminated]\n"
            "    1 | 'ab\n"
            "      | ^\n"
            "   help: close it with `'`\n");
  EXPECT_EQ(Lexed("'\xC3\xA4'").messages(),
            "a.mo:1:2: error: a quoted name has only printable ASCII characters and escapes "
            "[invalid-character]\n"
            "    1 | '\xC3\xA4'\n"
            "      |  ^\n");
}

TEST(Lexer, reads_operators_of_other_languages_as_what_they_mean) {
  const Lexed lexed("a != b && !c || d ** 2 ~= e");
  EXPECT_THAT(lexed.kinds(),
              ElementsAre(TokenKind::kIdent, TokenKind::kNotEqual, TokenKind::kIdent,
                          TokenKind::kAnd, TokenKind::kNot, TokenKind::kIdent, TokenKind::kOr,
                          TokenKind::kIdent, TokenKind::kCaret, TokenKind::kInteger,
                          TokenKind::kNotEqual, TokenKind::kIdent, TokenKind::kEndOfFile));
  EXPECT_EQ(lexed.diagnostics.num_errors(), 6u);
  EXPECT_EQ(Lexed("a != b").messages(),
            "a.mo:1:3: error: `!=` is not an operator of Modelica [foreign-operator]\n"
            "    1 | a != b\n"
            "      |   ^^\n"
            "   help: not equal is written `<>`\n");
}

TEST(Lexer, reports_a_run_of_bad_bytes_once_with_its_first) {
  EXPECT_EQ(Lexed("x @@# y").messages(),
            "a.mo:1:3: error: unexpected character `@` [invalid-character]\n"
            "    1 | x @@# y\n"
            "      |   ^^^\n");
  EXPECT_EQ(Lexed("x \xC2\xA7").messages(),
            "a.mo:1:3: error: unexpected character `\xC2\xA7` (U+00A7) [invalid-character]\n"
            "    1 | x \xC2\xA7\n"
            "      |   ^\n");
  EXPECT_EQ(Lexed("\x01").diagnostics.items()[0].message, "unexpected byte 0x01");
  EXPECT_EQ(Lexed("\xFF\xFE").diagnostics.items()[0].message, "unexpected byte 0xFF");
}

TEST(Lexer, reports_letters_beyond_ascii_in_a_name_once) {
  const Lexed lexed(
      "gr\xC3\xB6\xC3\x9F"
      "e1 = 2");
  EXPECT_EQ(lexed.messages(),
            "a.mo:1:1: error: `gr\xC3\xB6\xC3\x9F"
            "e1` cannot be a name [invalid-character]\n"
            "    1 | gr\xC3\xB6\xC3\x9F"
            "e1 = 2\n"
            "      | ^^^^^^ names have only the letters a-z and A-Z, digits and `_`\n");
  EXPECT_EQ(lexed.tokens[0].kind, TokenKind::kIdent);
}

TEST(Lexer, refuses_a_number_that_runs_into_a_name) {
  EXPECT_EQ(Lexed("3m").messages(),
            "a.mo:1:1: error: `3m` is neither a number nor a name [invalid-number]\n"
            "    1 | 3m\n"
            "      | ^^\n");
}

TEST(Lexer, stops_after_a_hundred_errors) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "@ ";
  const Lexed lexed(text);
  EXPECT_EQ(lexed.diagnostics.num_errors(), 101u);
  EXPECT_EQ(lexed.diagnostics.items().back().code, "too-many-errors");
  EXPECT_EQ(lexed.tokens.back().kind, TokenKind::kEndOfFile);
}

TEST(Lexer, unclosed_strings_and_comments_take_linear_time) {
  // Each `\"` begins a string again once the first one was found to have no end.
  std::string text = "\"";
  for (int i = 0; i < 200000; ++i) text += "\nend \\\" /* ";
  const Lexed lexed(text);
  EXPECT_TRUE(lexed.diagnostics.has_errors());
  EXPECT_EQ(lexed.tokens.back().kind, TokenKind::kEndOfFile);
}

TEST(Lexer, refuses_a_file_beyond_the_limit) {
  const Lexed lexed(std::string(kLargestFile + 1, ' '));
  EXPECT_EQ(lexed.messages(),
            "a.mo:1:1: error: the file has 64 MB; the limit is 64 MB [file-too-large]\n");
  EXPECT_EQ(lexed.tokens.size(), 1u);
}

}  // namespace
}  // namespace hydae::syntax
