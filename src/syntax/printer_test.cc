#include "syntax/printer.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

#include "syntax/parsed.h"
#include "test/source_dir.h"

namespace hydae::syntax {
namespace {

TEST(Printer, has_one_layout) {
  const Parsed parsed(
      "within A . B ;model M\"m\"Real x(start=1,fixed=true)=2 if c\"x\"annotation(Evaluate=true),y;"
      "protected extends N; equation x=-y*(z+1);if a then x=1;else y=2;end if; algorithm "
      "when a then(x,,y):=f(u,k=1);end when; annotation(experiment(StopTime=1));end M;");
  EXPECT_EQ(parsed.messages(), "");
  EXPECT_EQ(parsed.print(), R"(within A.B;
model M "m"
  Real x(start = 1, fixed = true) = 2 if c "x" annotation(Evaluate = true), y;
protected
  extends N;
equation
  x = -y*(z + 1);
  if a then
    x = 1;
  else
    y = 2;
  end if;
algorithm
  when a then
    (x, , y) := f(u, k = 1);
  end when;
  annotation(experiment(StopTime = 1));
end M;
)");
}

TEST(Printer, separates_an_integer_from_an_elementwise_operator) {
  const Parsed parsed("model M Real x[2] = 2 .*{1, 2} + 2.*{1, 2}; end M;");
  EXPECT_EQ(parsed.print(), "model M\n  Real x[2] = 2 .* {1, 2} + 2.*{1, 2};\nend M;\n");
}

TEST(Printer, prints_parts_of_a_tree_for_messages) {
  const Parsed parsed("model M Real x = a + b; equation x = 1; algorithm x := 2; end M;");
  const LongClass& m = parsed.first_class();
  EXPECT_EQ(parsed.print(*m.elements[0]), "Real x = a + b");
  EXPECT_EQ(parsed.print(*m.sections[1].equations[0]), "x = 1");
  EXPECT_EQ(parsed.print(*m.sections[2].statements[0]), "x := 2");
  EXPECT_EQ(parsed.print(as<ComponentElement>(*m.elements[0]).type), "Real");
}

TEST(Printer, prints_a_tree_with_errors_too) {
  const Parsed parsed("model M Real x = 1 +; equation for in 1:2 loop end for; end M;");
  EXPECT_EQ(parsed.print(),
            "model M\n  Real x = 1 + ?;\nequation\n  for  loop\n  end for;\nend M;\n");
}

// Printing, reading and printing again gives the same text, for every form of the grammar.
TEST(Printer, printed_text_prints_the_same_again) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "test/fuzz/syntax";
  for (const char* name : {"classes", "components", "equations", "expressions", "tiny"}) {
    std::ifstream stream(folder / (std::string(name) + ".mo"), std::ios::binary);
    const Parsed first(std::string(std::istreambuf_iterator<char>(stream), {}));
    ASSERT_EQ(first.messages(), "");
    ASSERT_FALSE(first.file.classes.empty()) << name;
    const Parsed second(first.print());
    EXPECT_EQ(second.messages(), "");
    EXPECT_EQ(second.print(), first.print());
  }
}

}  // namespace
}  // namespace hydae::syntax
