#include "problems/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include <hydae/error.h>

#include "expr/incidence.h"
#include "structure/assignment.h"
#include "structure/offsets.h"

namespace hydae {
namespace {

using ::testing::HasSubstr;

std::string message_of(std::string_view text) {
  try {
    find_problem(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::size_t num_continuous(const Model& model) {
  std::size_t count = 0;
  for (const Variable& variable : model.all_variables())
    count += variable.kind == VariableKind::kReal;
  return count;
}

TEST(Catalogue, names_are_unique_words_and_kinds_come_in_order) {
  std::set<std::string> names;
  ProblemKind kind = ProblemKind::kOde;
  for (const Problem* problem : all_problems()) {
    EXPECT_TRUE(names.insert(problem->name()).second) << problem->name();
    EXPECT_EQ(problem->name().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string::npos)
        << problem->name();
    EXPECT_GE(problem->kind(), kind) << problem->name();
    kind = problem->kind();
  }
}

TEST(Catalogue, every_problem_says_what_it_is_and_where_it_comes_from) {
  for (const Problem* problem : all_problems()) {
    EXPECT_FALSE(problem->title().empty()) << problem->name();
    EXPECT_FALSE(problem->source().empty()) << problem->name();
    EXPECT_EQ(problem->defect().empty(), problem->kind() != ProblemKind::kIllPosed)
        << problem->name();
  }
}

TEST(Catalogue, well_posed_problems_have_as_many_equations_as_unknowns) {
  for (const Problem* problem : all_problems()) {
    const Model model = problem->make_model();
    EXPECT_EQ(model.name(), problem->name());
    EXPECT_LT(*model.experiment.start_time, *model.experiment.stop_time) << problem->name();
    if (problem->kind() == ProblemKind::kIllPosed) continue;
    EXPECT_EQ(model.num_equations(), num_continuous(model)) << problem->name();
  }
}

TEST(Catalogue, fixed_start_values_are_as_many_as_the_degrees_of_freedom) {
  int checked = 0;
  for (const Problem* problem : all_problems()) {
    const KnownStructure& structure = problem->structure();
    const std::optional<int> dof = structure.true_dof ? structure.true_dof : structure.dof;
    if (!dof || problem->kind() == ProblemKind::kIllPosed) continue;
    const Model model = problem->make_model();
    int fixed = 0;
    for (const Variable& variable : model.all_variables())
      if (variable.kind == VariableKind::kReal)
        for (const StartValue& start : variable.starts) fixed += start.fixed;
    EXPECT_EQ(fixed, *dof) << problem->name();
    ++checked;
  }
  EXPECT_GT(checked, 50);
}

// Offsets of the equations as they are written, all branches of a select counted; variables that
// are held between events are no unknowns.
structure::Offsets offsets_of(const Model& model) {
  IdVector<VarId, VarId> to_column(model.num_variables());
  std::size_t columns = 0;
  for (VarId variable : ids<VarId>(model.num_variables()))
    if (model.all_variables()[variable].kind == VariableKind::kReal)
      to_column[variable] = VarId(columns++);

  structure::SignatureBuilder builder(columns);
  for (EqId equation : ids<EqId>(model.num_equations())) {
    std::vector<structure::SignatureMatrix::InRow> row;
    for (const Leaf& leaf : incidence(model.graph(), model.residual(equation)))
      if (to_column[leaf.variable].is_valid())
        row.push_back({to_column[leaf.variable], leaf.order});
    builder.add_equation(row);
  }
  const structure::SignatureMatrix sigma = builder.build();
  return compute_canonical_offsets(sigma, structure::find_highest_value_transversal(sigma).value());
}

TEST(Catalogue, offsets_index_and_freedom_are_those_of_the_sigma_method) {
  int checked = 0;
  for (const Problem* problem : all_problems()) {
    const KnownStructure& known = problem->structure();
    if (known.c.empty()) continue;
    const structure::Offsets offsets = offsets_of(problem->make_model());
    EXPECT_EQ(offsets.c.raw(), known.c) << problem->name();
    EXPECT_EQ(offsets.d.raw(), known.d) << problem->name();
    EXPECT_EQ(structural_index(offsets), known.index) << problem->name();
    EXPECT_EQ(degrees_of_freedom(offsets), known.dof) << problem->name();
    ++checked;
  }
  EXPECT_GT(checked, 40);
}

TEST(Catalogue, finds_every_problem_by_its_full_name) {
  for (const Problem* problem : all_problems()) {
    const auto found = find_problem(problem->full_name());
    EXPECT_EQ(found->full_name(), problem->full_name());
    EXPECT_EQ(found->make_model().num_equations(), problem->make_model().num_equations());
  }
}

TEST(Catalogue, makes_a_problem_in_the_size_asked_for) {
  const auto chain = find_problem("chained_pendula(23)");
  EXPECT_EQ(chain->full_name(), "chained_pendula(23)");
  EXPECT_EQ(chain->make_model().num_equations(), 69u);
  EXPECT_EQ(chain->structure().index, 47);
  EXPECT_FALSE(chain->references().empty());
}

TEST(Catalogue, an_unknown_name_suggests_the_nearest) {
  EXPECT_EQ(message_of("pendlum"), "there is no problem `pendlum`; did you mean `pendulum`?");
  EXPECT_EQ(message_of("quantum_gravity"),
            "there is no problem `quantum_gravity`; `hydae problems` lists them all");
  EXPECT_THAT(message_of(""), HasSubstr("there is no problem ``"));
}

TEST(Catalogue, a_wrong_size_says_what_is_possible) {
  const std::string range =
      "problem `chained_pendula(P)`: P must be an integer from 1 to 500, not ";
  EXPECT_EQ(message_of("chained_pendula(0)"), range + "`(0)`");
  EXPECT_EQ(message_of("chained_pendula(501)"), range + "`(501)`");
  EXPECT_EQ(message_of("chained_pendula()"), range + "`()`");
  EXPECT_EQ(message_of("chained_pendula("), range + "`(`");
  EXPECT_EQ(message_of("chained_pendula(2"), range + "`(2`");
  EXPECT_EQ(message_of("chained_pendula(2)x"), range + "`(2)x`");
  EXPECT_EQ(message_of("chained_pendula(99999999999)"), range + "`(99999999999)`");
  EXPECT_EQ(message_of("pendulum(3)"), "problem `pendulum` has no size");
}

TEST(Catalogue, exact_values_are_refused_where_there_are_none) {
  EXPECT_THROW(find_problem("pendulum")->exact("x", 0, 0), UsageError);
  EXPECT_THROW(find_problem("arevalo")->exact("w", 0, 1), UsageError);
  EXPECT_THROW(find_problem("arevalo")->exact("x", -1, 1), UsageError);
}

}  // namespace
}  // namespace hydae
