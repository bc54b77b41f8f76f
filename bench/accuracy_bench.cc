// Work and precision on problems whose solutions are known, as a table for the guide. Error: the
// largest one of all values that are known, relative to the larger of the value and one. Time: the
// best of 25 runs of the time loop, without compilation and initialization.
#include <fmt/format.h>

#include "test/analytic/reference_error.h"

namespace {

using namespace hydae;

constexpr double kTolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13};
constexpr const char* kProblems[] = {"pendulum",
                                     "caraxis",
                                     "andrews",
                                     "chemakzo",
                                     "transamp",
                                     "crank",
                                     "crank_oscillatory",
                                     "crank_rigid",
                                     "robot_arm",
                                     "crane_servo",
                                     "crane_path",
                                     "jay_index2",
                                     "jay_index2_nonlinear",
                                     "jay_index3",
                                     "arevalo",
                                     "chained_pendula",
                                     "watson"};

// The line of errors; returns that of the times.
std::string print_row(const Problem& problem) {
  std::string times = fmt::format("| {} |", problem.name());
  fmt::print("| {} |", problem.name());
  ReferenceError last;
  for (double tolerance : kTolerances) {
    const SimulateOptions options = at_tolerance(problem, tolerance);
    const Model model = problem.make_model();
    double milliseconds = 1e300;
    Simulation run;
    for (int repetition = 0; repetition < 25; ++repetition) {
      run = simulate(model, options);
      if (!run.summary.succeeded()) break;
      milliseconds = std::min(milliseconds, 1e3 * run.summary.seconds.at("integrate"));
    }
    if (!run.summary.succeeded()) {
      fmt::print(" {} |", name_of(run.summary.status));
      times += " - |";
      continue;
    }
    last = reference_error(problem, run.trajectory);
    fmt::print(" {:.0e}, {} |", last.error, run.summary.steps);
    times += fmt::format(" {:.2g} |", milliseconds);
  }
  fmt::print(" {:.0e} |\n", last.of_reference);
  return times + "\n";
}

void print_heading(const char* last) {
  fmt::print("| problem |");
  for (double tolerance : kTolerances) fmt::print(" {:.0e} |", tolerance);
  fmt::print("{}\n|---|", last);
  for (std::size_t k = 0; k < std::size(kTolerances); ++k) fmt::print("---|");
}

}  // namespace

int main() {
  fmt::print("Largest error and number of steps, by tolerance\n\n");
  print_heading(" error of the reference |");
  fmt::print("---|\n");
  std::string times;
  for (const char* name : kProblems) times += print_row(*find_problem(name));
  fmt::print("\nMilliseconds\n\n");
  print_heading("");
  fmt::print("\n{}", times);
}
