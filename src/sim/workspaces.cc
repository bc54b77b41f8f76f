#include "sim/workspaces.h"

#include <algorithm>

#include "sim/bdf_solver.h"
#include "sim/run_report.h"

namespace hydae {
namespace {

// Of series through code: their last coefficients have three digits.
constexpr int kOrderOfCode = 6;

}  // namespace

Workspaces::Workspaces(const HybridModel& model, const RunSettings& settings,
                       const SimulateOptions& options)
    : settings_(settings), options_(options), scales_(model, settings, options.atol.has_value()) {}

void Workspaces::update_tolerances(TaylorSolution& solution) const {
  solution.stepper().set_tolerances(scales_.tolerances());
}

Workspaces::~Workspaces() = default;

SolutionPtr Workspaces::take_series(const CompiledMode& mode) {
  Room& room = rooms_[&mode];
  if (room.free_series.empty()) {
    room.series.push_back(make_series(mode));
    room.free_series.reserve(room.series.size());
    room.free_series.push_back(room.series.back().get());
  }
  TaylorSolution* series = room.free_series.back();
  room.free_series.pop_back();
  update_tolerances(*series);
  return {series, [&room](TaylorSolution* free) { room.free_series.push_back(free); }};
}

std::unique_ptr<TaylorSolution> Workspaces::make_series(const CompiledMode& mode) {
  integrate::TaylorOptions options;
  options.rtol = settings_.rtol;
  options.order = options_.order;
  if (mode.compiled.program->has_code())
    options.order = options_.order > 0 ? std::min(options_.order, kOrderOfCode) : kOrderOfCode;
  options.max_step = options_.max_step.value_or(0);
  auto series = std::make_unique<TaylorSolution>(mode, options, column_tolerances(mode));
  order_ = series->stepper().order();
  return series;
}

Restart& Workspaces::restart(const CompiledMode& mode) {
  std::optional<Restart>& restart = rooms_[&mode].restart;
  if (!restart) restart.emplace(mode.prepared, mode.guards_and_exits());
  return *restart;
}

BdfSolver& Workspaces::bdf(const CompiledMode& mode) {
  std::unique_ptr<BdfSolver>& solver = rooms_[&mode].bdf;
  if (!solver) {
    BdfSettings settings;
    settings.rtol = settings_.rtol;
    settings.max_step = options_.max_step.value_or(0);
    settings.jacobian = options_.bdf.jacobian;
    settings.code = options_.bdf.code;
    settings.atol = column_tolerances(mode);
    settings.highest_atol = scales_.highest_tolerances();
    settings.highest_atol.resize(settings.atol.size(), settings_.atol);
    settings.part_of_size = settings_.atol;
    solver = std::make_unique<BdfSolver>(mode.prepared, mode.outputs, std::move(settings));
  } else {
    solver->set_tolerances(column_tolerances(mode));
  }
  return *solver;
}

std::vector<double> Workspaces::column_tolerances(const CompiledMode& mode) const {
  std::vector<double> atol = scales_.tolerances();
  atol.resize(mode.prepared.system.unknowns.size(), settings_.atol);
  return atol;
}

void Workspaces::forget_bdf() {
  for (auto& [mode, room] : rooms_) {
    if (room.bdf) hydae::add_counters(room.bdf->counters(), forgotten_);
    room.bdf.reset();
  }
}

void Workspaces::add_counters(Summary& summary) const {
  add_up(forgotten_, summary);
  summary.order = order_;
  for (const auto& [mode, room] : rooms_) {
    for (const auto& series : room.series) {
      const integrate::TaylorCounters& counters = series->stepper().counters();
      summary.steps += counters.steps;
      summary.rejected_steps += counters.rejected_steps;
      summary.jacobians += counters.expansions;
      summary.factorizations += counters.expansions;
      summary.max_projection = std::max(summary.max_projection, counters.max_displacement);
    }
    if (!room.bdf) continue;
    hydae::add_counters(room.bdf->counters(), summary);
    if (order_ == 0) summary.order = room.bdf->last_order();
  }
}

}  // namespace hydae
