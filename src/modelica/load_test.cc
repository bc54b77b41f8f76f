// The way from text to Model on small models.
#include <gtest/gtest.h>

#include <hydae/modelica.h>

#include "modelica/models_testing.h"

namespace hydae {
namespace {

const char* kCircuit = R"(
connector Pin Real v; flow Real i; end Pin;
model R parameter Real R = 1; Pin p, n; equation p.v - n.v = R*p.i; 0 = p.i + n.i; end R;
model C parameter Real C = 1; Pin p, n; Real u(start = 1, fixed = true);
equation u = p.v - n.v; C*der(u) = p.i; 0 = p.i + n.i; end C;
model G Pin p; equation p.v = 0; end G;
model T parameter Real x = 3; R r(R = 2*x); C c; G g;
equation connect(r.p, c.p); connect(r.n, c.n); connect(r.n, g.p);
annotation(experiment(StopTime = 2)); end T;
)";

TEST(Load, circuit_has_as_many_equations_as_unknowns) {
  const Model model = load_ok(kCircuit);
  // Ten connector variables and u; six of them are equal or opposite to another one.
  EXPECT_EQ(model.num_variables(), 5u);
  EXPECT_EQ(model.aliases().size(), 6u);
  EXPECT_EQ(model.num_variables(), model.num_equations());
  EXPECT_EQ(model.experiment.stop_time, 2);
  EXPECT_EQ(definition(model, "r.R"), "2*x");
  EXPECT_EQ(definition(model, "c.p.i"), "-r.p.i");
  EXPECT_EQ(definition(model, "c.n.i"), "r.p.i");
}

TEST(Load, flat_text_read_again_is_the_same_text) {
  const std::string once = flatten_to_text(load_ok(kCircuit));
  EXPECT_EQ(flatten_to_text(load_ok(once)), once);
}

TEST(Load, parameter_can_be_set_from_outside) {
  LoadOptions options;
  options.parameters = {{"c.C", "0.5"}};
  const LoadResult result = load_text(kCircuit, "", options);
  ASSERT_TRUE(result.model);
  EXPECT_EQ(definition(*result.model, "c.C"), "0.5");
  options.parameters = {{"c.D", "0.5"}};
  EXPECT_EQ(error_codes(load_text(kCircuit, "", options)), "no-such-parameter");
}

TEST(Load, an_element_of_an_array_can_be_set_from_outside) {
  const std::string text =
      "model M parameter Real A[2,3] = [1, 2, 3; 4, 5, 6]; parameter Boolean on[2] = {true, true}; "
      "Real x = A[2,1]*time + (if on[2] then 1 else 0); end M;";
  LoadOptions options;
  options.parameters = {{"A[2, 1]", "10"}, {"on[2]", "false"}};
  const LoadResult result = load_text(text, "", options);
  ASSERT_TRUE(result.model) << render(result.diagnostics);
  EXPECT_EQ(definition(*result.model, "A[2,1]"), "10");
  EXPECT_EQ(definition(*result.model, "A[2,2]"), "5");
  for (const char* wrong : {"A[3,1]", "A[1]", "A[1,1,1]", "A[0,1]", "A[1,x]", "A"}) {
    options.parameters = {{wrong, "10"}};
    EXPECT_EQ(error_codes(load_text(text, "", options)), "no-such-parameter") << wrong;
  }
}

TEST(Load, what_is_final_or_constant_cannot_be_set_from_outside) {
  const std::string text =
      "model M model A parameter Real k = 1; end A; A a(final k = 2); final parameter Real p = 1; "
      "constant Real c = 3; final parameter Real v[2] = {1, 2}; Real x = a.k*p*c*v[1]; end M;";
  for (const char* name : {"a.k", "p", "c", "v[1]"}) {
    LoadOptions options;
    options.parameters = {{name, "10"}};
    EXPECT_EQ(error_codes(load_text(text, "", options)), "final-parameter") << name;
  }
}

TEST(Load, class_that_is_not_there_is_reported) {
  EXPECT_EQ(error_codes(load_text(kCircuit, "Missing")), "class-not-found");
  EXPECT_EQ(error_codes(load_text("package P end P;")), "no-model");
}

}  // namespace
}  // namespace hydae
