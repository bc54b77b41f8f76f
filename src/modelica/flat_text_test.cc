// flatten_to_text and back: the flat text of what was read is the same text.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include <hydae/modelica.h>

#include "modelica/models_testing.h"
#include "test/source_dir.h"

namespace hydae {
namespace {

std::string read_back(const std::string& flat) { return flatten_to_text(load_ok(flat)); }

// Newton's iteration for the square root: how often it runs depends on x.
const char* kRootByNewton = R"(
function root input Real x; output Real y; output Real large;
protected Real old; Integer n = 0;
algorithm
  y := 1; old := 0;
  while abs(y - old) > 1e-15*y and n < 100 loop
    (old, y) := step(x, y); n := n + 1;
  end while;
  large := if y > 2 then 1 else 0;
end root;
function step input Real x; input Real y; output Real same = y; output Real next;
algorithm next := (y + x/y)/2;
end step;
model M Real a = time + 1, b, c, large;
equation (b, large) = root(a); c = root(if large > 0.5 then 3*a else a);
end M;
)";

TEST(FlatText, of_a_function_program_is_read_back) {
  const Model model = load_ok(kRootByNewton, "M");
  ASSERT_EQ(model.functions().size(), 1u);
  const std::string flat = flatten_to_text(model);
  EXPECT_NE(flat.find("while "), std::string::npos) << flat;
  const Model again = load_ok(flat);
  EXPECT_EQ(flatten_to_text(again), flat);
  // Both compute sqrt(7) and whether it is larger than 2.
  for (const Model* m : {&model, &again}) {
    const Function& root = m->functions()[FunctionId(0)];
    const double in[] = {7};
    std::vector<double> out(static_cast<std::size_t>(root.num_outputs));
    root.evaluate(in, out);
    EXPECT_NEAR(out[0], std::sqrt(7.0), 4e-15);
    EXPECT_EQ(out[1], 1);
  }
}

TEST(FlatText, programs_for_different_known_arguments_have_different_names) {
  const std::string flat = flatten_to_text(load_ok(R"(
function power input Real x; input Integer n; output Real y;
algorithm y := 1; while y < x loop y := y*n; end while;
end power;
model M Real a = power(time, 2), b = power(time, 3);
end M;
)",
                                                   "M"));
  EXPECT_NE(flat.find("'power()'"), std::string::npos) << flat;
  EXPECT_NE(flat.find("'power#2()'"), std::string::npos) << flat;
  EXPECT_EQ(read_back(flat), flat);
}

// Rounding in a function, or under noEvent(), makes no events; that of Integers cannot.
TEST(FlatText, of_rounding_without_events_is_read_back) {
  const std::string flat = flatten_to_text(load_ok(R"(
function wrap input Real u; output Real y; algorithm y := mod(u, 2);
end wrap;
model M Real a = wrap(time), b = noEvent(ceil(time)), c = floor(time); parameter Integer n = 7;
  Integer k = noEvent(div(n, 2));
end M;
)",
                                                   "M"));
  EXPECT_NE(flat.find("a = time - 2*noEvent(floor(time/2))"), std::string::npos) << flat;
  EXPECT_NE(flat.find("b = noEvent(ceil(time))"), std::string::npos) << flat;
  EXPECT_NE(flat.find("c = floor(time)"), std::string::npos) << flat;
  EXPECT_EQ(flat.find("noEvent(div"), std::string::npos) << flat;
  EXPECT_EQ(read_back(flat), flat);
}

TEST(FlatText, of_code_known_by_name_is_read_back) {
  const std::string flat = flatten_to_text(load_ok(R"(
function solve input Real A[:, size(A, 1)]; input Real b[size(A, 1)]; output Real x[size(b, 1)];
  output Integer info;
  external "FORTRAN 77" dgesv(A, b, x, info);
end solve;
model M Real x[2];
equation x = solve({{1, time}, {0, 2}}, {time, 4});
end M;
)",
                                                   "M"));
  EXPECT_NE(flat.find("external \"hydae\""), std::string::npos) << flat;
  EXPECT_EQ(read_back(flat), flat);
}

// y := y + sin(y)^2 doubles the text each time: 2^40 places of x, in 80 nodes.
TEST(FlatText, names_what_would_be_written_too_often) {
  const std::string text = R"(
function f input Real x; output Real y;
algorithm y := x; for i in 1:40 loop y := y + sin(y)^2; end for;
end f;
model M parameter Real p = 2; parameter Real q = f(p); Real x(start = q); Real y;
equation der(x) = f(x); y = f(x) + f(q);
end M;
)";
  const Model model = load_ok(text, "M");
  const std::string flat = flatten_to_text(model);
  EXPECT_LT(flat.size(), 100'000u);
  EXPECT_NE(flat.find("__hydae(part = true)"), std::string::npos);
  const Model again = load_ok(flat);
  EXPECT_EQ(again.num_variables(), model.num_variables());
  EXPECT_EQ(again.parameters().size(), model.parameters().size());
  EXPECT_EQ(flatten_to_text(again), flat);
}

TEST(FlatText, programs_that_are_none_are_refused) {
  const auto of_program = [](const std::string& declarations, const std::string& statements) {
    return error_codes("model M function f input Real x1; output Real y1; " + declarations +
                       " algorithm " + statements +
                       " annotation(__hydae(program = true)); end f; Real v = time, z = f(time); "
                       "annotation(__hydae(flat = true)); end M;");
  };
  EXPECT_EQ(of_program("", "y1 := x1 + 1;"), "");
  EXPECT_EQ(of_program("", "y1 := time;"), "time-in-function");
  EXPECT_EQ(of_program("protected Real a[2];", "y1 := 1;"), "flat-function");
  EXPECT_EQ(of_program("", "if x1 > 0 then y1 := 1; end if;"), "flat-function");
  EXPECT_EQ(of_program("", "x1 := 1;"), "flat-function");
  EXPECT_EQ(error_codes("model M function f input Real x[1]; output Real y[1]; external \"hydae\"; "
                        "end f; Real z = f(time); annotation(__hydae(flat = true)); end M;"),
            "no-such-code");
}

TEST(FlatText, of_all_models_is_read_back) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(source_dir()) / "models";
  LoadOptions options;
  options.library_path = {folder};
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".mo") continue;
    const LoadResult result = load_model(entry.path(), "", options);
    if (!result.model) continue;  // a library
    ++count;
    const std::string flat = flatten_to_text(*result.model);
    EXPECT_EQ(read_back(flat), flat) << entry.path();
  }
  EXPECT_GE(count, 40);
}

}  // namespace
}  // namespace hydae
