#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include <hydae/problems.h>

#include "test/source_dir.h"

namespace hydae {
namespace {

using ::testing::HasSubstr;

TEST(Listing, names_every_problem_once_under_its_kind) {
  const std::string list = render_problem_list();
  EXPECT_THAT(list, HasSubstr("Differential-algebraic equations\n  andrews"));
  for (const Problem* problem : all_problems())
    EXPECT_THAT(list, HasSubstr("  " + problem->full_name() + " "));
}

TEST(Listing, shows_all_about_a_problem) {
  EXPECT_EQ(
      render_problem(*find_problem("jay_index2")),
      "jay_index2: Jay's Hessenberg DAE of index 2, exponential solution\n"
      "source: L. O. Jay, Convergence of Runge-Kutta methods for differential-algebraic systems of "
      "index 3, Appl. Numer. Math. 17 (1995) 97-118; this form after scipy pull request 13068\n"
      "interval: 0 to 1\n"
      "known solution: exact\n"
      "equations\n"
      "  f1: der(y1) = y1*y2*z\n"
      "  f2: der(y2) = (y1*y2)^2 - 3*y2^2*z\n"
      "  f3: y1^2*y2 = 1\n"
      "start values\n"
      "  y1 = 1\n"
      "  der(y1) = 1  (guess)\n"
      "  y2 = 1  (guess)\n"
      "  der(y2) = -2  (guess)\n"
      "  z = 1  (guess)\n");
}

TEST(Listing, shows_events_with_their_impulses_and_what_happens_at_them) {
  const std::string text = render_problem(*find_problem("three_masses"));
  EXPECT_THAT(text, HasSubstr("  when x1 >= x2 then v1 - v2 = "));
  EXPECT_THAT(text, HasSubstr("; impulse(F1)\n"));
  EXPECT_THAT(text, HasSubstr("events\n  t = 1: both gaps close; impulse of F1 2.66666666666666"));
}

TEST(Listing, every_problem_can_be_shown) {
  for (const Problem* problem : all_problems())
    EXPECT_THAT(render_problem(*problem), HasSubstr("source: " + problem->source()));
}

// With HYDAE_BLESS the page is written, otherwise it must be up to date (./dev bless).
TEST(Listing, golden_page_of_the_guide_is_up_to_date) {
  const std::string path = std::string(source_dir()) + "/docs/guide/problems.md";
  if (std::getenv("HYDAE_BLESS") != nullptr) std::ofstream(path) << render_problem_guide();
  std::stringstream page;
  page << std::ifstream(path).rdbuf();
  EXPECT_EQ(page.str(), render_problem_guide()) << "./dev bless writes it anew";
}

}  // namespace
}  // namespace hydae
