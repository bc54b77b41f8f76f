// Correct files with tokens deleted, doubled, swapped or cut off: the parser always ends, and
// either says what is wrong or has a tree that prints and reads as the same.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "syntax/lexer.h"
#include "syntax/parsed.h"
#include "test/source_dir.h"

namespace hydae::syntax {
namespace {

std::string read_sample(const std::string& name) {
  const auto path = std::filesystem::path(source_dir()) / "test/fuzz/syntax" / (name + ".mo");
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The tokens of `text`, each with the blanks and comments in front of it.
std::vector<std::string> pieces(const std::string& text) {
  SourceSet sources;
  SymbolTable symbols;
  Diagnostics diagnostics;
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (const Token& token : lex(text, SourceId(0), symbols, diagnostics)) {
    out.push_back(text.substr(begin, token.end - begin));
    begin = token.end;
  }
  return out;
}

std::string mutated(std::vector<std::string> tokens, std::mt19937& random) {
  const auto pick = [&] { return tokens.begin() + random() % tokens.size(); };
  for (int n = 1 + random() % 3; n > 0; --n) {
    switch (random() % 4) {
      case 0: tokens.erase(pick()); break;
      case 1: {
        const std::string copy = *pick();
        tokens.insert(pick(), copy);
        break;
      }
      case 2: std::swap(*pick(), *pick()); break;
      default:
        if (random() % 8 == 0) tokens.erase(pick(), tokens.end());
    }
    if (tokens.empty()) tokens.emplace_back(";");
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

class Mutation : public testing::TestWithParam<const char*> {};

TEST_P(Mutation, has_a_message_or_prints_as_the_same) {
  const std::vector<std::string> tokens = pieces(read_sample(GetParam()));
  ASSERT_GT(tokens.size(), 100u);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = mutated(tokens, random);
    const Parsed first(text);
    const std::string printed = first.print();
    if (!first.messages().empty()) continue;
    const Parsed second(printed);
    ASSERT_EQ(second.messages(), "") << text;
    ASSERT_EQ(second.print(), printed) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Mutation,
                         testing::Values("classes", "components", "equations", "expressions"));

}  // namespace
}  // namespace hydae::syntax
