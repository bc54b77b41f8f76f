// Initialization with modes: solve with frozen switches, look which ones the solution asks for,
// until they agree. There is no event iteration in this phase: discrete values, switches and the
// continuous solution are one mixed system (Modelica 8.6).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "compile/consistent_point.h"
#include "compile/initial_discrete.h"
#include "sim/delay_memory.h"
#include "sim/discrete_equations.h"
#include "sim/guard_signs.h"
#include "sim/input_driver.h"
#include "sim/mode_selector.h"
#include "sim/outcome.h"
#include "sim/run_report.h"
#include "sim/workspaces.h"

namespace hydae {

// The continuous part in one mode, and what was found.
struct InitialSolution {
  InitialSystem system;
  ConsistentPoint point;
  Diagnostic why{};  // without a solution
};

// Where a run starts.
struct HybridStart {
  HybridState state;
  SolutionPtr solution;
  // Relations at their limits that have another value right behind the start, or none that agrees.
  std::set<std::size_t> conflict{};
  std::shared_ptr<const InitialSolution> point{};
};

class HybridInitializer {
 public:
  struct Tools {
    DiscreteEquations& discrete_part;
    ModeSelector& selector;
    Workspaces& workspaces;
    const GuardSigns& signs;
    DelayMemory& delays;
    RunReport& report;
    const InputDriver& inputs;
  };
  HybridInitializer(const HybridModel& model, const RunSettings& settings,
                    const SimulateOptions& options, const Tools& tools);

  // Throws ModelError if no mode that was tried is well posed.
  Outcome<HybridStart> find_start();
  // For a model without switches: its mode and a consistent point, no series.
  struct Point {
    const CompiledMode* mode = nullptr;
    std::map<Leaf, double> values;
    std::vector<double> numbers{};  // the table of the mode
  };
  Outcome<Point> find_point();
  // Of a model without switches: a consistent point from which no series could be made.
  const std::map<Leaf, double>& point_without_series() const { return point_without_series_; }
  // In the last mode that was tried; none if no mode was well posed.
  const std::shared_ptr<InitialSolution>& last_solution() const { return last_; }

 private:
  using Values = std::vector<double>;  // of discrete variables, by VarId
  // A mode that was tried, with everything of its own.
  struct Attempt {
    HybridState state;
    SolutionPtr solution;  // none: there is no regular one
    std::shared_ptr<const InitialSolution> point;
    DiscreteOutcome discrete;
    std::optional<Switches> wanted;
    std::set<std::size_t> leaving;  // relations that change right behind the start
    Failure failure;                // without a solution: why
    bool is_solved() const { return solution != nullptr; }
    bool agrees() const { return is_solved() && *wanted == state.switches; }
  };

  // Of modes that do not agree with their solutions.
  struct Findings {
    std::optional<Attempt> tolerable;  // differs in silent relations at their limits only
    std::optional<Attempt> contested;  // differs in relations at their limits
    std::set<std::size_t> contest;     // these relations
    std::set<std::size_t> switching;   // all that differ
    bool has_solved = false;
    // Of the last mode without a solution, and which equations have none in any of these modes.
    Failure failure;
    std::optional<std::set<std::string>> without_solution;
  };

  Outcome<HybridStart> find_with_discrete(Values pre);
  Outcome<HybridStart> find_steady(Values pre, const std::vector<NodeId>& open);
  Outcome<HybridStart> find_with(const Values& pre);
  Outcome<HybridStart> search_contacts(const Values& pre, const Release& release);
  Outcome<HybridStart> search_mode(const Values& pre, const Release& release);
  void note(const Outcome<Attempt>& tried, Findings& findings) const;
  HybridState guess(const Values& pre);
  Values initial_pre(const Values& pre, const std::function<double(Leaf)>& continuous);
  // Whether roots are looked for on that side of a relation which the mode stands for.
  enum class Roots : std::uint8_t { kAnywhere, kOnTheirSide };
  // What a point is asked for besides the mode.
  struct Asked {
    std::vector<Reinit> reinits{};
    Roots roots = Roots::kAnywhere;
    Release release{};
  };
  Outcome<Attempt> attempt(const Values& pre, const HybridState& start, const Switches& switches,
                           const Asked& asked);
  void set_past(const std::vector<double>& past, const Values& pre, HybridState& state);
  std::optional<std::vector<double>> past_of_loop(const Values& pre, const Attempt& tried,
                                                  const Asked& asked, std::vector<double> first);
  void look_on_sides(const HybridState& state, const Values& pre, InitialSystem& system);
  struct PointInMode {
    const CompiledMode& mode;
    const std::vector<double>& numbers;
  };
  Outcome<PointInMode> find_point_in_mode(const HybridState& state, const Values& pre,
                                          const Asked& asked);
  Outcome<SolutionPtr> solve_in_mode(const HybridState& state, const Values& pre,
                                     const Asked& asked);
  std::optional<Switches> switches_at_point(const Values& pre, const HybridState& state);
  void warn_of_repelling_limits(const Values& pre, const HybridState& start,
                                const Attempt& accepted);
  HybridStart accepted(Attempt attempt) const;
  EvaluationContext instant(const HybridState& state, const Values& pre,
                            const std::vector<double>& table) const;
  std::optional<double> find_override(Leaf leaf) const;
  double start_of(Leaf leaf) const;

  const HybridModel& hybrid_;
  const Model& model_;
  const RunSettings& settings_;
  const SimulateOptions& options_;
  Tools tools_;
  SwitchTable table_;
  CompiledExpressions guards_;
  InitialEquationRoles roles_;
  // Of relations x > c, c a number: x.
  std::vector<std::optional<Leaf>> compared_;
  std::map<Leaf, double> point_;  // of the last mode that was tried
  std::map<Leaf, double> point_without_series_;
  std::shared_ptr<InitialSolution> last_;
  std::set<std::string> without_solution_;      // in any mode that was tried by the last search
  const Diagnostics* first_defects_ = nullptr;  // of the first mode that was tried
};

}  // namespace hydae
