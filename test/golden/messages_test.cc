// What `hydae check` says about each classic mistake of test/golden/messages, word by word. With
// HYDAE_BLESS set the texts are written anew (./dev bless).
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include <hydae/analyze.h>
#include <hydae/error.h>
#include <hydae/modelica.h>

#include "modelica/files_testing.h"
#include "test/source_dir.h"

namespace hydae {
namespace {

namespace fs = std::filesystem;

const fs::path kMessages = fs::path(source_dir()) / "test/golden/messages";

std::string read(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// As the command: messages of the front end, then those of the structural analysis.
std::string check(const std::string& name) {
  const LoadResult result = load_text(read(kMessages / (name + ".mo")), "", {}, name + ".mo");
  std::string out = render(result.diagnostics, result.sources.get());
  if (!result.model) return out;
  try {
    out += render(analyze(*result.model).diagnostics, result.sources.get());
  } catch (const ModelError& error) {
    out += render(error.diagnostics(), result.sources.get());
  }
  return out;
}

class MessagesTest : public ::testing::TestWithParam<std::string> {};

TEST_P(MessagesTest, are_golden) {
  const fs::path expected = kMessages / (GetParam() + ".txt");
  const std::string said = check(GetParam());
  if (std::getenv("HYDAE_BLESS") != nullptr) {
    std::ofstream(expected) << said;
    return;
  }
  EXPECT_FALSE(said.empty());
  EXPECT_EQ(said, read(expected));
}

INSTANTIATE_TEST_SUITE_P(Messages, MessagesTest, ::testing::ValuesIn(model_files(kMessages)),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace hydae
