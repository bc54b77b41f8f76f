#include "problems/catalogue.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <fmt/core.h>
#include <string>
#include <utility>

#include <hydae/error.h>

namespace hydae {
namespace {

using namespace problems;

// How to make one problem, in all the sizes it has.
struct Entry {
  Problem (*make)() = nullptr;
  Problem (*make_sized)(int) = nullptr;
  int default_size = 0, smallest = 0, largest = 0;

  Entry(Problem (*plain)()) : make(plain) {}  // NOLINT: the list below reads better
  Entry(Problem (*sized)(int), int size, int min, int max)
      : make_sized(sized), default_size(size), smallest(min), largest(max) {}

  Problem make_default() const { return make ? make() : make_sized(default_size); }
};

// Each list sorted by name.

std::vector<Entry> ordinary_differential_equations() {
  return {
      arenstorf,  jackiewicz,           kamke,          kepler,
      lorenz,     outer_solar_system,   pendulum_angle, pendulum_cash_index0,
      pleiades,   ring_modulator_stiff, van_der_pol,    vdpol,
      weissinger,
  };
}

std::vector<Entry> differential_algebraic_equations() {
  return {
      andrews,
      arevalo,
      {biphasic, 21, 5, 5001},
      brenan,
      brenan_campbell_petzold,
      broman_index1,
      broman_loop,
      broman_matching,
      broman_pendulum,
      caraxis,
      {chained_pendula, 5, 1, 500},
      chained_pendula_23,
      chemakzo,
      crane_path,
      crane_servo,
      crank,
      crank_oscillatory,
      crank_rigid,
      jay_index2,
      jay_index2_nonlinear,
      jay_index3,
      knife_edge,
      kvaerno,
      kvaerno_ide,
      mna_circuit,
      modified2pendula,
      modified_pendulum,
      pendulum,
      pendulum_cash,
      pendulum_cash_index1,
      pendulum_cash_index2,
      rc_circuit,
      rectifier_bridge,
      {reissig, 2, 1, 1000},
      ring_modulator,
      robertson,
      robot_arm,
      scholz_steinbrecher,
      tan_exponential,
      transamp,
      {watson, 10, 1, 200},
  };
}

std::vector<Entry> hybrid_systems() {
  return {
      {air_brake, 3, 1, 2000},
      argesim_c5,
      bouncing_ball,
      bouncing_ball_zeno,
      breaking_pendulum,
      close_roots,
      clutch_benveniste,
      clutch_motor,
      constraints_swap,
      coulomb_oscillator,
      coupled_clutches,
      coupled_masses,
      cup_and_ball,
      dry_brake,
      exact_differential,
      flat_root,
      gear_shift,
      {higher_impulse, 3, 2, 20},
      ideal_clutch,
      index_drop,
      mesh_events,
      overflow_tank,
      parallel_capacitors,
      parallel_robot,
      polynomial_guard,
      relay,
      relay_spiral,
      rocking_block,
      state_appears,
      state_removed,
      stick_slip,
      three_masses,
      two_tanks,
  };
}

std::vector<Entry> equations_with_a_parameter() {
  return {
      cubic_root,
      turning_chord,
  };
}

std::vector<Entry> ill_posed_models() {
  return {
      contradictory_equations, contradictory_start, equation_without_unknowns,
      illposed_pendula,        raha_general,        raha_simple,
      raha_unsolvable,         redundant_equation,  redundant_start,
      three_part_system,       too_few_equations,   too_many_equations,
      unused_variable,
  };
}

const std::vector<Entry>& entries() {
  static const auto list = [] {
    std::vector<Entry> all;
    for (auto* make : {&ordinary_differential_equations, &differential_algebraic_equations,
                       &hybrid_systems, &equations_with_a_parameter, &ill_posed_models})
      for (const Entry& entry : make()) all.push_back(entry);
    return all;
  }();
  return list;
}

const std::vector<std::shared_ptr<const Problem>>& default_problems() {
  static const auto list = [] {
    std::vector<std::shared_ptr<const Problem>> problems;
    for (const Entry& entry : entries())
      problems.push_back(std::make_shared<const Problem>(entry.make_default()));
    return problems;
  }();
  return list;
}

[[noreturn]] void fail_unknown(std::string_view name) {
  std::vector<std::string> names;
  for (const Problem* problem : all_problems()) names.push_back(problem->name());
  const std::vector<std::string> near = nearest_names(name, names);
  throw UsageError(fmt::format("there is no problem {}{}", quoted(name),
                               near.empty() ? "; `hydae problems` lists them all"
                                            : "; did you mean " + quoted_list(near) + "?"));
}

// The size in "(23)"; throws unless it is one that the problem has.
int parse_size(const Problem& problem, const Entry& entry, std::string_view text) {
  if (!entry.make_sized) throw UsageError(fmt::format("problem `{}` has no size", problem.name()));
  const char* const last = text.data() + text.size() - 1;
  int size = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, last, size);
  if (*last != ')' || error != std::errc() || end != last || size < entry.smallest ||
      size > entry.largest)
    throw UsageError(
        fmt::format("problem `{0}({1})`: {1} must be an integer from {2} to {3}, not `{4}`",
                    problem.name(), problem.size_name(), entry.smallest, entry.largest, text));
  return size;
}

}  // namespace

const std::vector<const Problem*>& all_problems() {
  static const auto list = [] {
    std::vector<const Problem*> problems;
    for (const auto& problem : default_problems()) problems.push_back(problem.get());
    return problems;
  }();
  return list;
}

std::shared_ptr<const Problem> find_problem(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('('));
  const std::string_view size = text.substr(name.size());
  const auto& problems = default_problems();
  const auto found = std::find_if(problems.begin(), problems.end(),
                                  [&](const auto& problem) { return problem->name() == name; });
  if (found == problems.end()) fail_unknown(name);
  if (size.empty()) return *found;
  const Entry& entry = entries()[static_cast<std::size_t>(found - problems.begin())];
  return std::make_shared<const Problem>(entry.make_sized(parse_size(**found, entry, size)));
}

}  // namespace hydae
