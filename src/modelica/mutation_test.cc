// Small models as they are, and with tokens deleted, doubled, swapped or exchanged for others: the
// front end always ends with a model or an error, and the flat text of a model reads as the same
// model. The number of mutants of each file can be raised with HYDAE_MUTANTS. What libFuzzer finds
// (flatten_fuzz.cc) becomes a file of the folder.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>

#include <hydae/modelica.h>

#include "modelica/files_testing.h"
#include "syntax/lexer.h"
#include "test/source_dir.h"

namespace hydae {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(source_dir()) / "test/fuzz/modelica";

// The tokens of a file, each with the blanks and comments in front of it.
std::vector<std::string> tokens_of(const std::string& name) {
  std::ifstream stream(kFolder / (name + ".mo"), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  syntax::SymbolTable symbols;
  Diagnostics diagnostics;
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (const syntax::Token& token : syntax::lex(text, SourceId(0), symbols, diagnostics)) {
    out.push_back(text.substr(begin, token.end - begin));
    begin = token.end;
  }
  return out;
}

std::string joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

// What the files do not hold but may meet.
const char* const kForeign[] = {
    " 0",         " -1",     " 1000000000", " 1e300", " time",    " der",       " pre",
    " input",     " output", " flow",       " outer", " inner",   " each",      " final",
    " parameter", " Real",   " true",       " {}",    " [1, 2]",  " size",      " :",
    " end",       " break",  " when",       " sum",   " connect", " redeclare", " replaceable"};

std::string mutated(std::vector<std::string> tokens, std::mt19937& random) {
  const auto pick = [&] {
    return tokens.begin() + static_cast<std::ptrdiff_t>(random() % tokens.size());
  };
  for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
    switch (random() % 6) {
      case 0: tokens.erase(pick()); break;
      case 1: {
        const std::string copy = *pick();
        tokens.insert(pick(), copy);
        break;
      }
      case 2: std::swap(*pick(), *pick()); break;
      case 3: *pick() = kForeign[random() % std::size(kForeign)]; break;
      default: {
        const std::string copy = *pick();
        *pick() = copy;
      }
    }
    if (tokens.empty()) tokens.emplace_back(";");
  }
  return joined(tokens);
}

int num_mutants() {
  const char* given = std::getenv("HYDAE_MUTANTS");
  return given == nullptr ? 40 : std::atoi(given);
}

class ModelMutation : public testing::TestWithParam<std::string> {};

TEST_P(ModelMutation, is_refused_or_read_again_from_its_flat_text) {
  const std::vector<std::string> tokens = tokens_of(GetParam());
  ASSERT_FALSE(tokens.empty());
  std::mt19937 random(1);
  for (int i = -1; i < num_mutants(); ++i) {
    const std::string text = i < 0 ? joined(tokens) : mutated(tokens, random);
    SCOPED_TRACE(text);
    const LoadResult first = load_text(text);
    render(first.diagnostics, first.sources.get());
    ASSERT_NE(first.model.has_value(), first.diagnostics.has_errors());
    if (!first.model) continue;
    const std::string flat = flatten_to_text(*first.model);
    const LoadResult second = load_text(flat);
    ASSERT_TRUE(second.model) << flat << render(second.diagnostics, second.sources.get());
    ASSERT_EQ(flatten_to_text(*second.model), flat);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ModelMutation, testing::ValuesIn(model_files(kFolder)),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace hydae
