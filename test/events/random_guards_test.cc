// No event is missed and none is invented: random smooth signals as guards, in the forms a user
// writes them, under every solver and at three tolerances, against roots of the closed form.
// HYDAE_GUARDS: number of models; HYDAE_GUARDS_SEED: of the first; HYDAE_GUARDS_TRACE=1 prints all.
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>

#include <hydae/error.h>
#include <hydae/modelica.h>
#include <hydae/simulate.h>

#include "test/events/random_signal.h"
#include "test/from_environment.h"

namespace hydae::random_guards {
namespace {

constexpr double kStop = 3;  // in units of time

struct Case {
  std::string form, text;
  Setting setting;
  SimulateOptions options;
  Signal guard;
  Roots roots;
  int expected = 0;     // final value of n
  double sum = 0;       // of event times that are counted, in units of time
  double positive = 0;  // time for which the guard is positive
};

bool counts_events(const std::string& form) { return form != "if" && form != "sign"; }

// The model in one of several forms: n counts events, m adds their times, y the time above zero.
std::string text_of(const std::string& form, const std::string& guard, const Setting& setting) {
  const std::string head =
      std::string() +
      "model A\n  Real x(start=1,fixed=true), c(start=1,fixed=true), s(start=0,fixed=true), "
      "r(start=0,fixed=true), y(start=0,fixed=true)" +
      (setting.family == Family::kStiff ? ", z(start=0,fixed=true)" : "") + ";\n" +
      std::string(counts_events(form)
                      ? "  Integer n(start=0,fixed=true); discrete Real m(start=0,fixed=true);\n"
                      : "") +
      "  Boolean b;\n  Real g;\nequation\n" + setting.equations();
  const std::string rate = fmt::format("{:.17g}", setting.rate);
  const std::string count = "n = pre(n)+1; m = pre(m) + " + setting.local_time() + "; end when;\n";
  const auto y_of = [&](const std::string& condition) {
    return "  der(y) = if " + condition + " then " + rate + " else 0;\n";
  };
  if (form == "when")
    return head + "  b = false; g = 0; der(y) = 0;\n  when " + guard + " > 0 then " + count +
           "end A;\n";
  if (form == "boolean")
    return head + "  b = " + guard + " > 0; g = 0;\n" + y_of("b") + "  when change(b) then " +
           count + "end A;\n";
  if (form == "if") return head + "  b = false; g = 0;\n" + y_of(guard + " > 0") + "end A;\n";
  if (form == "variable")
    return head + "  g = " + guard + "; b = g > 0;\n" + y_of("not g <= 0") +
           "  when change(b) then " + count + "end A;\n";
  return head + "  g = sign(" + guard + "); b = g > 0.5;\n  der(y) = " + rate + "*(1 + sign(" +
         guard + "))/2;\nend A;\n";  // sign
}

std::optional<Case> make_case(unsigned seed, Family family) {
  static const std::vector<Setting> settings = {{0, 1}, {0, 1}, {1e7, 1}, {0, 1e6}, {0, 1e-6}};
  static const std::vector<double> sizes = {1, 1, 1e-13, 1e9};
  static const std::vector<std::string> forms = {"when", "boolean", "if", "variable", "sign"};
  static const std::vector<double> tolerances = {1e-4, 1e-6, 1e-9};
  static const std::vector<Solver> solvers = {Solver::kAuto, Solver::kTaylor, Solver::kIda};
  Case result;
  result.setting = settings[seed % settings.size()];
  result.setting.family = family;
  SignalMaker maker(seed, result.setting);
  const double size = sizes[static_cast<std::size_t>(maker.choice(4))];
  const double level = maker.number(-0.5, 0.5);
  const Signal signal = maker.make();
  result.form = forms[static_cast<std::size_t>(maker.choice(5))];
  result.guard = {fmt::format("{:.17g}*({} - ({:.17g}))", size, signal.text, level),
                  [=](Real t) { return Real(size) * (signal.value(t) - Real(level)); }};
  result.options.tolerance = tolerances[static_cast<std::size_t>(maker.choice(3))];
  result.options.solver = solvers[static_cast<std::size_t>(maker.choice(3))];
  // A variable with a pole is no solution.
  if (family == Family::kPoles && result.form == "variable") return std::nullopt;
  if (family == Family::kStiff && result.options.solver == Solver::kTaylor)
    result.options.solver = Solver::kAuto;
  result.options.start = result.setting.start;
  result.options.stop = result.setting.start + kStop / result.setting.rate;
  result.options.points = 2;
  // States are as good as the tolerance: signals come no closer to zero than they can be known.
  const Real margin = std::max(100 * *result.options.tolerance, 1e-4);
  const auto above_level = [=](Real t) {
    return signal.numerator(t) - Real(level) * signal.denominator(t);
  };
  result.roots = family == Family::kPoles
                     ? find_changes_of_sign(above_level, signal.denominator, kStop, margin)
                     : find_roots(result.guard.value, kStop, margin);
  if (!result.roots.are_plain) return std::nullopt;
  std::vector<Real> counted = result.roots.rising;
  if (result.form != "when")
    counted.insert(counted.end(), result.roots.falling.begin(), result.roots.falling.end());
  if (!counts_events(result.form)) counted.clear();
  result.expected = static_cast<int>(counted.size());
  result.sum = static_cast<double>(std::accumulate(counted.begin(), counted.end(), Real(0)));
  Real positive = result.guard.value(kStop) > 0 ? kStop : 0;
  for (Real t : result.roots.rising) positive -= t;
  for (Real t : result.roots.falling) positive += t;
  result.positive = result.form == "when" ? 0 : static_cast<double>(positive);
  result.text = text_of(result.form, result.guard.text, result.setting);
  return result;
}

// Empty if everything is right.
std::string fault_of(const Case& c) {
  const LoadResult loaded = load_text(c.text);
  if (!loaded.model) return render(loaded.diagnostics, loaded.sources.get());
  const Simulation run = simulate(*loaded.model, c.options);
  if (!run.summary.succeeded()) return run.summary.message;
  const auto last = [&](const std::string& name) { return run.trajectory.series(name).back(); };
  const bool counts = counts_events(c.form);
  if (counts && last("n") != c.expected)
    return fmt::format("n = {}, not {}", last("n"), c.expected);
  const double events = static_cast<double>(c.roots.rising.size() + c.roots.falling.size());
  // An error of a thousand tolerances of the signal, at its flattest root, moves this much.
  // Steps round their times, each by as much as times are apart.
  const double rounding = 1e4 * 2.2e-16 * std::abs(c.setting.start) * c.setting.rate;
  const double error = rounding + (1000 * *c.options.tolerance + 1e-7) *
                                      static_cast<double>(c.roots.size / c.roots.flattest) *
                                      (1 + events);
  if (counts && std::abs(last("m") - c.sum) > error)
    return fmt::format("times add to {:.10g}, not {:.10g} +- {:.2g}", last("m"), c.sum, error);
  if (std::abs(last("y") - c.positive) > error + 100 * *c.options.tolerance)
    return fmt::format("y = {:.10g}, not {:.10g} +- {:.2g}", last("y"), c.positive, error);
  return "";
}

void expect_exactly_the_events_of_closed_forms(Family family, unsigned usual_count) {
  const unsigned count = from_environment("HYDAE_GUARDS", usual_count);
  const unsigned first = from_environment("HYDAE_GUARDS_SEED", 1);
  unsigned num_models = 0, num_faults = 0, num_events = 0;
  for (unsigned seed = first; num_models < count; ++seed) {
    const auto c = make_case(seed, family);
    if (!c) continue;
    ++num_models;
    static const char* const kSolvers[] = {"auto", "taylor", "ida"};
    const std::string description = fmt::format(
        "// seed {}, {}: --solver {} --tolerance {:.1g} --start {:.17g} --stop {:.17g}\n{}", seed,
        c->form, kSolvers[static_cast<int>(c->options.solver)], *c->options.tolerance,
        *c->options.start, *c->options.stop, c->text);
    num_events += static_cast<unsigned>(c->roots.rising.size() + c->roots.falling.size());
    std::string fault;
    if (from_environment("HYDAE_GUARDS_TRACE", 0) != 0) fmt::print(stderr, "{}", description);
    try {
      fault = fault_of(*c);
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (fault.empty()) continue;
    ++num_faults;
    ADD_FAILURE() << fault << "\n" << description;
  }
  testing::Test::RecordProperty("events", static_cast<int>(num_events));
  fmt::print("seeds from {}: {} models, {} events, {} faults\n", first, num_models, num_events,
             num_faults);
}

TEST(RandomGuards, have_exactly_the_events_of_their_closed_forms) {
  expect_exactly_the_events_of_closed_forms(Family::kSmooth, 300);
}
TEST(RandomGuards, change_their_signs_at_poles) {
  expect_exactly_the_events_of_closed_forms(Family::kPoles, 60);
}
TEST(RandomGuards, of_states_of_stiff_models_are_not_missed) {
  expect_exactly_the_events_of_closed_forms(Family::kStiff, 60);
}

}  // namespace
}  // namespace hydae::random_guards
