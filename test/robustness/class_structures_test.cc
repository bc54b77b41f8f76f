// Classes put together at random from a few names, so that they extend, contain, redeclare and
// modify each other and what is not there: the front end ends with a model or an error.
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/robustness/random_models.h"

namespace hydae {
namespace {

constexpr std::array kKinds = {
    "model",   "model", "block",    "record",          "connector", "expandable connector",
    "package", "class", "function", "operator record", "type"};
constexpr std::array kClassNames = {"A", "B", "C", "D", "E", "F"};
constexpr std::array kMemberTypes = {"Real", "Integer", "Boolean", "String", "A",  "B",      "C",
                                     "D",    "E",       "F",       "A.B",    ".A", "Nothing"};
constexpr std::array kPrefixes = {
    "",          "",       "parameter ", "constant ",    "discrete ", "input ",       "output ",
    "flow ",     "inner ", "outer ",     "inner outer ", "final ",    "replaceable ", "stream ",
    "protected "};
constexpr std::array kMemberNames = {"a", "b", "c", "x", "y"};
constexpr std::array kMemberSizes = {"",    "",    "",          "[2]",         "[:]",
                                     "[0]", "[n]", "[Boolean]", "[size(a, 1)]"};
constexpr std::array kMemberValues = {"1",   "a",    "b.x", "{1, 2}", "\"t\"", "true", "time",
                                      "A.c", "f(1)", "x",   "-1",     "A(1)",  "{}",   "0/0"};

class Classes {
 public:
  explicit Classes(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    std::string out;
    for (const char* name : kClassNames)
      if (!random_.one_in(6)) out += definition(name, 2);
    return out + "model M\n" + element(1) + element(1) + "  Real t = time;\n" + sections() +
           "end M;\n";
  }

 private:
  std::string pick(const auto& list) { return std::string(random_.pick(list)); }

  std::string modifier(int depth) {
    if (!random_.one_in(2)) return "";
    switch (random_.below(6)) {
      case 0: return fmt::format("({} = {})", pick(kMemberNames), pick(kMemberValues));
      case 1: return fmt::format("(each {} = {})", pick(kMemberNames), pick(kMemberValues));
      case 2: return fmt::format("(redeclare {} {})", pick(kMemberTypes), pick(kMemberNames));
      case 3:
        return fmt::format("(redeclare model {} = {})", pick(kClassNames), pick(kMemberTypes));
      case 4:
        return depth > 0 ? fmt::format("({}{})", pick(kMemberNames), modifier(depth - 1)) : "";
      default:
        return fmt::format("(start = {}, final {} = {})", pick(kMemberValues), pick(kMemberNames),
                           pick(kMemberValues));
    }
  }

  std::string element(int depth) {
    std::string out = "  " + pick(kPrefixes) + pick(kMemberTypes) + " " + pick(kMemberNames) +
                      pick(kMemberSizes) + modifier(depth);
    if (random_.one_in(3)) out += " = " + pick(kMemberValues);
    if (random_.one_in(6)) out += " if " + pick(kMemberValues);
    return out + ";\n";
  }

  std::string sections() {
    switch (random_.below(7)) {
      case 0: return fmt::format("equation\n  {} = {};\n", pick(kMemberNames), pick(kMemberValues));
      case 1: return fmt::format("equation\n  connect({}, {});\n", reference(), reference());
      case 2: return fmt::format("algorithm\n  {} := {};\n", reference(), pick(kMemberValues));
      case 3:
        return fmt::format("initial equation\n  {} = {};\n", reference(), pick(kMemberValues));
      case 4:
        return fmt::format("equation\n  when {} then {} = {}; end when;\n", pick(kMemberValues),
                           reference(), pick(kMemberValues));
      default: return "";
    }
  }

  std::string reference() {
    std::string out = pick(kMemberNames);
    if (random_.one_in(3)) out += "[" + pick(kMemberValues) + "]";
    if (random_.one_in(2)) out += "." + pick(kMemberNames);
    return out;
  }

  std::string definition(const std::string& name, int depth) {
    const std::string kind = pick(kKinds);
    const std::string head = (random_.one_in(8) ? "partial " : "") + kind + " " + name;
    if (kind == "type" || random_.one_in(6))
      return fmt::format("{} = {}{}{};\n", head, pick(kMemberTypes), pick(kMemberSizes),
                         modifier(1));
    std::string out = head + "\n";
    if (random_.one_in(3)) out += "  extends " + pick(kMemberTypes) + modifier(1) + ";\n";
    for (int i = random_.below(4); i > 0; --i) out += element(1);
    if (depth > 0 && random_.one_in(3)) out += definition(pick(kClassNames), depth - 1);
    if (random_.one_in(8))
      out += fmt::format("  import {}.{};\n", pick(kClassNames), pick(kClassNames));
    return out + sections() + "end " + name + ";\n";
  }

  Random random_;
};

TEST(ClassStructures, end_with_a_model_or_an_error) {
  const std::uint32_t seed = seed_of_run();
  SCOPED_TRACE(fmt::format("HYDAE_SEED={}", seed));
  for (int i = 0; i < num_cases(400); ++i) {
    Classes classes(seed * 1'000'003 + static_cast<std::uint32_t>(i));
    expect_model_or_error(classes.text());
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace hydae
