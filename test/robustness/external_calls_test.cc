// External functions that are known by their C names, declared and called as nobody meant them:
// arguments in another order, of other types, left out, literal, results that nothing gives.
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/robustness/random_models.h"

namespace hydae {
namespace {

constexpr std::array kCode = {"ModelicaStrings_length",
                              "ModelicaStrings_substring",
                              "ModelicaStrings_compare",
                              "ModelicaStrings_skipWhiteSpace",
                              "ModelicaStrings_scanIdentifier",
                              "ModelicaStrings_scanInteger",
                              "ModelicaStrings_scanReal",
                              "ModelicaStrings_scanString",
                              "ModelicaStrings_hashString",
                              "ModelicaRandom_xorshift64star",
                              "ModelicaRandom_xorshift128plus",
                              "dgesv",
                              "dgelsy",
                              "ModelicaFFT_kiss_fftr",
                              "ModelicaInternal_fullPathName",
                              "ModelicaInternal_print",
                              "ModelicaInternal_readLine",
                              "ModelicaInternal_countLines",
                              "ModelicaIO_writeRealMatrix",
                              "ModelicaStandardTables_CombiTable1D_getValue",
                              "ModelicaStandardTables_CombiTable2D_getValue",
                              "ModelicaStandardTables_CombiTimeTable_getValue",
                              "ModelicaStandardTables_CombiTimeTable_nextTimeEvent",
                              "sin",
                              "noSuch"};
constexpr std::array kPortTypes = {"Real", "Integer", "Boolean", "String", "Real", "E", "T", "R"};
constexpr std::array kPortSizes = {"", "", "", "[2]", "[2, 2]", "[:]", "[:, :]", "[0]"};
constexpr std::array kCallArguments = {"a",        "b",          "c",   "y",    "z",     "1",
                                       "\"text\"", "size(a, 1)", "2.5", "true", "a + 1", "noSuch"};
constexpr std::array kGiven = {
    "1",     "2.5", "x", "true",       "\"  a1\"", "{1, 2}", "{{1, 2}, {3, 4}}",
    "E.one", "r",   "t", "fill(0, 0)", "time"};

std::string external_model(Random& random) {
  const auto pick = [&](const auto& list) { return std::string(random.pick(list)); };
  std::string text = R"(
type E = enumeration(one, two);
record R Real p; end R;
class T extends ExternalObject;
  function constructor input Integer k; output T t; external "C" t = make(k); end constructor;
  function destructor input T t; external "C" done(t); end destructor;
end T;
)";
  const int num_inputs = random.below(4), num_outputs = random.below(3);
  text += "function f\n";
  for (int i = 0; i < num_inputs; ++i)
    text += fmt::format("  input {} {}{};\n", pick(kPortTypes), "abc"[i], pick(kPortSizes));
  for (int i = 0; i < num_outputs; ++i)
    text += fmt::format("  output {} {}{};\n", pick(kPortTypes), "yz"[i], pick(kPortSizes));
  text += random.one_in(8) ? "  external \"builtin\"" : "  external \"C\"";
  if (!random.one_in(6)) {
    if (random.one_in(2)) text += " y =";
    text += " " + pick(kCode) + "(";
    const int count = random.below(5);
    for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + pick(kCallArguments);
    text += ")";
  }
  text += ";\nend f;\nmodel M\n  parameter T t = T(1);\n  R r(p = 1);\n  Real x = time;\n  ";
  text += fmt::format("{} q{} = f(", pick(kPortTypes), pick(kPortSizes));
  const int num_given = random.one_in(4) ? random.below(4) : num_inputs;
  for (int i = 0; i < num_given; ++i) text += (i > 0 ? ", " : "") + pick(kGiven);
  return text + ");\nend M;\n";
}

TEST(ExternalCalls, end_with_a_model_or_an_error) {
  const std::uint32_t seed = seed_of_run();
  SCOPED_TRACE(fmt::format("HYDAE_SEED={}", seed));
  for (int i = 0; i < num_cases(400); ++i) {
    Random random(seed * 1'000'003 + static_cast<std::uint32_t>(i));
    expect_model_or_error(external_model(random));
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace hydae
