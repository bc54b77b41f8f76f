#include "test/events/text_cases.h"

namespace hydae {

TEST_P(TextModel, has_its_values_by_both_solvers_at_three_tolerances) {
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      SCOPED_TRACE(testing::Message()
                   << "solver " << static_cast<int>(solver) << ", tolerance " << tolerance);
      expect_known_values(GetParam(), simulate_text(GetParam(), solver, tolerance), tolerance);
    }
}

}  // namespace hydae
