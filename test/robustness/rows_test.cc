// Small models, written down in test/robustness/rows with what must come out of them, by the solver
// that a user gets and by BDF. Each row was once a wrong value, a stop or a refusal.
//
//   row: name         begins a row; lines that begin with # say why
//   class: NAME       of the model (the last one)
//   start: T, stop: T of the run (0 and 1)
//   tolerance: R      of the run (1e-6)
//   within: E         allowed error, relative to the larger of the value and one (1e-5; ida 1e-4)
//   solvers: auto     not all of them
//   at T: x = 1, y = 2  values of the last row at this time
//   ends: T           the run ends early and succeeds
//   stops: text       the run fails with this text in its message
//   refused: text     a diagnostic of the text, or of its structure, has this text
//   accepted: yes     there is a model, and its structure is in order; nothing is run
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <hydae/analyze.h>
#include <hydae/error.h>
#include <hydae/modelica.h>
#include <hydae/simulate.h>

#include "test/source_dir.h"

namespace hydae {
namespace {

struct KnownValue {
  double time;
  std::string name;
  double value;
};

struct Row {
  std::string name, text;
  std::map<std::string, std::string> keys;
  std::vector<KnownValue> known;

  bool has(const std::string& key) const { return keys.contains(key); }
  double number(const std::string& key, double otherwise) const {
    return has(key) ? std::stod(keys.at(key)) : otherwise;
  }
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

void read_values(const std::string& time, const std::string& text, Row& row) {
  std::istringstream in(text);
  std::string one;
  while (std::getline(in, one, ',')) {
    const std::size_t equals = one.find(" = ");
    const std::size_t first = one.find_first_not_of(' ');
    row.known.push_back(
        {std::stod(time), one.substr(first, equals - first), std::stod(one.substr(equals + 3))});
  }
}

// A line `key: value` of a row; false for a line of its model.
bool read_key(const std::string& line, Row& row) {
  static const std::vector<std::string> kKeys = {"start",    "stop", "tolerance", "within",
                                                 "solvers",  "ends", "stops",     "refused",
                                                 "accepted", "class"};
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) return false;
  const std::string key = line.substr(0, colon), value = line.substr(colon + 2);
  if (key.starts_with("at ")) {
    read_values(key.substr(3), value, row);
    return true;
  }
  if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) return false;
  row.keys[key] = value;
  return true;
}

std::vector<Row> read_rows(const std::string& file) {
  std::ifstream in(std::string(source_dir()) + "/test/robustness/rows/" + file);
  if (!in) throw std::runtime_error("there is no " + file);
  std::vector<Row> rows;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("row: "))
      rows.push_back({line.substr(5), "", {}, {}});
    else if (!read_key(line, rows.back()))
      rows.back().text += line + "\n";
  }
  return rows;
}

std::vector<double> output_times(const Row& row) {
  std::vector<double> times = {row.number("start", 0)};
  for (const KnownValue& known : row.known)
    if (known.time > times.back()) times.push_back(known.time);
  if (row.number("stop", 1) > times.back()) times.push_back(row.number("stop", 1));
  return times;
}

double last_value_at(const Trajectory& rows, double time, const std::string& name) {
  double out = NAN;
  const std::vector<double>& values = rows.series(name);
  for (std::size_t i = 0; i < rows.num_rows(); ++i)
    if (std::abs(rows.times()[i] - time) <= 1e-12 * std::max(1.0, std::abs(time))) out = values[i];
  return out;
}

struct Asked {
  Solver solver;
  double tolerance, within;
};

void expect_row(const Row& row, const Asked& asked, const Model& model) {
  SimulateOptions options;
  options.solver = asked.solver;
  options.start = row.number("start", 0);
  options.stop = row.number("stop", 1);
  options.tolerance = asked.tolerance;
  options.times = output_times(row);
  const Simulation run = simulate(model, options);
  if (row.has("stops")) {
    EXPECT_FALSE(run.summary.succeeded());
    EXPECT_NE(run.summary.message.find(row.keys.at("stops")), std::string::npos)
        << run.summary.message;
    return;
  }
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_NEAR(run.summary.t_end, row.number("ends", row.number("stop", 1)), 1e-6);
  for (const KnownValue& known : row.known)
    EXPECT_NEAR(last_value_at(run.trajectory, known.time, known.name), known.value,
                asked.within * std::max(1.0, std::abs(known.value)))
        << known.name << " at " << known.time;
}

// Errors of the structure, empty for a model that can run.
std::string analysis_of(const Model& model) {
  try {
    const Diagnostics found = analyze(model).diagnostics;
    return found.has_errors() ? render(found, model.sources.get()) : "";
  } catch (const ModelError& error) {
    return render(error.diagnostics(), model.sources.get());
  }
}

class KnownRow : public ::testing::TestWithParam<Row> {};

TEST_P(KnownRow, comes_out_as_derived) {
  const Row& row = GetParam();
  const std::string class_name = row.has("class") ? row.keys.at("class") : "";
  const LoadResult loaded = load_text(row.text, class_name);
  const std::string said = render(loaded.diagnostics, loaded.sources.get());
  if (row.has("refused")) {
    EXPECT_TRUE(!loaded.model || !analysis_of(*loaded.model).empty());
    const std::string all = said + (loaded.model ? analysis_of(*loaded.model) : "");
    EXPECT_NE(all.find(row.keys.at("refused")), std::string::npos) << all;
    return;
  }
  ASSERT_TRUE(loaded.model) << said;
  if (row.has("accepted")) {
    EXPECT_EQ(analysis_of(*loaded.model), "");
    return;
  }
  ASSERT_FALSE(row.known.empty() && !row.has("stops") && !row.has("ends")) << "nothing is expected";
  for (const auto& [solver, name] : {std::pair{Solver::kAuto, "auto"}, {Solver::kIda, "ida"}}) {
    if (row.has("solvers") && row.keys.at("solvers") != name) continue;
    SCOPED_TRACE(name);
    const double within = row.number("within", solver == Solver::kIda ? 1e-4 : 1e-5);
    expect_row(row, {solver, row.number("tolerance", 1e-6), within}, *loaded.model);
  }
}

// Where a solution has no series, contacts, steps that are easily too long: allowed are 30
// tolerances, what a model of this size may magnify errors by, and the root of the distance from
// which a branch point is passed (1e-12) with the factor 0.1 that the series leave of it.
class RowByAllSolvers : public ::testing::TestWithParam<Row> {};

TEST_P(RowByAllSolvers, comes_out_at_three_tolerances) {
  const Row& row = GetParam();
  const LoadResult loaded = load_text(row.text, "");
  ASSERT_TRUE(loaded.model) << render(loaded.diagnostics, loaded.sources.get());
  for (const double tolerance : {1e-4, 1e-6, 1e-9})
    for (const auto& [solver, name] :
         {std::pair{Solver::kAuto, "auto"}, {Solver::kTaylor, "taylor"}, {Solver::kIda, "ida"}}) {
      if (row.has("solvers") && row.keys.at("solvers") != name) continue;
      SCOPED_TRACE(fmt::format("{} at {}", name, tolerance));
      expect_row(row, {solver, tolerance, 30 * tolerance + 1e-7}, *loaded.model);
    }
}

std::string name_of_row(const testing::TestParamInfo<Row>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Language, KnownRow, ::testing::ValuesIn(read_rows("language.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Mechanics, KnownRow, ::testing::ValuesIn(read_rows("mechanics.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Networks, KnownRow, ::testing::ValuesIn(read_rows("networks.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Starts, KnownRow, ::testing::ValuesIn(read_rows("starts.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Invalid, KnownRow, ::testing::ValuesIn(read_rows("invalid.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Valid, KnownRow, ::testing::ValuesIn(read_rows("valid.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Attack, KnownRow, ::testing::ValuesIn(read_rows("attack.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Contacts, RowByAllSolvers, ::testing::ValuesIn(read_rows("contacts.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Roots, RowByAllSolvers, ::testing::ValuesIn(read_rows("roots.rows")),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Steps, RowByAllSolvers, ::testing::ValuesIn(read_rows("steps.rows")),
                         name_of_row);

}  // namespace
}  // namespace hydae
