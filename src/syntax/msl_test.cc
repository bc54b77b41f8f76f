// The Modelica Standard Library as a test: runs if HYDAE_MSL names the folder that holds it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

#include "syntax/lexer.h"
#include "syntax/parser.h"
#include "syntax/printer.h"

namespace hydae::syntax {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Msl : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("HYDAE_MSL");
    if (folder == nullptr) GTEST_SKIP() << "set HYDAE_MSL to the folder of the library to run this";
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".mo") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) ids_.push_back(sources_.add(path.string(), read(path)));
    ASSERT_GT(ids_.size(), 2000u) << "in " << folder;
  }

  // The tokens without parentheses, of which the tree keeps at most one pair, as text.
  std::vector<std::string> words(SourceId id) {
    Diagnostics diagnostics;
    std::vector<std::string> out;
    for (const Token& token : lex(sources_.text(id), id, symbols_, diagnostics))
      if (token.kind != TokenKind::kLeftParen && token.kind != TokenKind::kRightParen)
        out.emplace_back(sources_.text(id).substr(token.begin, token.end - token.begin));
    return out;
  }

  SourceSet sources_;
  SymbolTable symbols_;
  std::vector<SourceId> ids_;
};

TEST_F(Msl, every_file_parses_without_a_message) {
  for (const SyntaxFile& file : parse_all(sources_, ids_, symbols_)) {
    EXPECT_TRUE(file.diagnostics.empty()) << render(file.diagnostics, &sources_);
    EXPECT_EQ(file.classes.size(), 1u) << sources_.name(file.source);
  }
}

TEST_F(Msl, printed_files_have_the_same_words_and_print_the_same_again) {
  const Printer printer(sources_, symbols_);
  std::vector<SourceId> printed_ids;
  std::vector<std::string> printed;
  for (const SyntaxFile& file : parse_all(sources_, ids_, symbols_)) {
    printed.push_back(printer.print(file));
    printed_ids.push_back(sources_.add("printed " + sources_.name(file.source), printed.back()));
    EXPECT_EQ(words(file.source), words(printed_ids.back())) << sources_.name(file.source);
  }
  const std::vector<SyntaxFile> files = parse_all(sources_, printed_ids, symbols_);
  for (std::size_t i = 0; i < files.size(); ++i)
    EXPECT_EQ(printer.print(files[i]), printed[i]) << sources_.name(printed_ids[i]);
}

}  // namespace
}  // namespace hydae::syntax
