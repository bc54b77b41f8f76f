// Guards held at zero: which mode this makes, when it ends, and when it begins.
// docs/math/sliding.md.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "poly/jet_sign.h"
#include "sim/run.h"

namespace hydae {
namespace {

constexpr std::size_t kMostContested = 4;  // surfaces: 3^4 combinations

}  // namespace

bool Run::is_held(std::size_t relation) const {
  const std::size_t surface = hybrid_.surface_of(relation);
  return std::any_of(mode_->holds.begin(), mode_->holds.end(),
                     [&](const Hold& hold) { return hold.surface == surface; });
}

// The conditions on all combinations of sides of the surfaces on which the trial slides.
CornerTruths Run::corner_truths(double t, const Trial& trial) {
  std::vector<std::size_t> sliding;
  for (const Hold& hold : trial.holds)
    if (hold.is_sliding()) sliding.push_back(hold.surface);
  CornerTruths truths;
  for (std::size_t corner = 0; corner < (std::size_t{1} << sliding.size()); ++corner) {
    std::vector<bool> bits = trial.bits;
    for (std::size_t s = 0; s < sliding.size(); ++s)
      hybrid_.set_side(sliding[s], (corner >> s & 1) != 0 ? 1 : -1, bits);
    load_table(bits, trial.counts, trial.discrete.values, discrete_);
    truths.push_back(truths_of(t, false));
  }
  load_table(trial.bits, trial.counts, trial.discrete.values, discrete_);
  return truths;
}

void Run::leave(std::size_t surface, int side, Trial& trial) const {
  std::erase_if(trial.holds, [&](const Hold& hold) { return hold.surface == surface; });
  hybrid_.set_side(surface, side, trial.bits);
}

// Two exits for each hold: the share below 0 or above 1; the reaction of the wrong sign. Without
// its reaction a guard moves to the side from which it came.
void Run::add_exit(std::size_t exit, Cause& cause) const {
  const Hold& hold = mode_->holds[exit / 2];
  const int side = hold.is_sliding() ? (exit % 2 == 0 ? -1 : 1) : hold.free_side;
  cause.exits.emplace_back(hold.surface, side);
  cause.is_silent = false;
}

// The holds that last just after the instant; the bits of the others go to their sides.
std::vector<Hold> Run::holds_from_jets(Trial& wanted) {
  Cause left;
  const std::size_t n = hybrid_.relations().size();
  known_zeros_.resize(n + 2 * mode_->holds.size(), 0);
  for (std::size_t exit = 0; exit < 2 * mode_->holds.size(); ++exit) {
    const auto series = stepper_->output_series(static_cast<int>(n + exit));
    double size = 0;
    for (double coefficient : series) size = std::max(size, std::abs(coefficient));
    const poly::JetSign sign = poly::find_jet_sign(series, 1e-10 * size);
    if (sign.sign < 0) add_exit(exit, left);
    known_zeros_[n + exit] = sign.sign == 0 ? 0 : sign.order;
  }
  Trial result = wanted;
  for (const auto& [surface, side] : left.exits) leave(surface, side, result);
  wanted.bits = result.bits;
  return result.holds;
}

// Surfaces whose sides the cycle cannot agree on.
std::vector<std::size_t> Run::contested_surfaces(const std::vector<Trial>& cycle) const {
  std::vector<std::size_t> surfaces;
  for (std::size_t k = 0; k < hybrid_.relations().size(); ++k) {
    const bool is_contested = std::any_of(cycle.begin(), cycle.end(), [&](const Trial& trial) {
      return trial.bits[k] != cycle.front().bits[k];
    });
    const std::size_t surface = hybrid_.surface_of(k);
    if (is_contested && std::find(surfaces.begin(), surfaces.end(), surface) == surfaces.end())
      surfaces.push_back(surface);
  }
  return surfaces;
}

bool Run::is_consistent(double t, const Cause& cause, const LeftLimit& left, Trial& trial) {
  if (!try_mode(t, left, trial)) return false;
  Trial wanted = trial;
  wanted.bits = bits_from_jets(cause, trial.bits);
  wanted.holds = holds_from_jets(wanted);
  return wanted.bits == trial.bits && wanted.holds == trial.holds;
}

// A cycle of trials that differ in the sides of a few surfaces only: the solution can leave to no
// side, so it stays on some of them. The fewest are tried first.
std::optional<Run::Trial> Run::search_sliding(double t, const Cause& cause, const LeftLimit& left,
                                              const std::vector<Trial>& cycle) {
  for (const Trial& trial : cycle)
    if (trial.discrete.values != cycle.front().discrete.values || !trial.discrete.reinits.empty() ||
        !trial.discrete.impacts.empty())
      return std::nullopt;
  const std::vector<std::size_t> surfaces = contested_surfaces(cycle);
  if (surfaces.empty() || surfaces.size() > kMostContested) return std::nullopt;
  std::size_t num_choices = 1;
  for (std::size_t s = 0; s < surfaces.size(); ++s) num_choices *= 3;
  std::vector<Trial> found;
  for (std::size_t count = 1; count <= surfaces.size() && found.empty(); ++count)
    for (std::size_t choice = 0; choice < num_choices; ++choice) {
      Trial trial = cycle.front();
      std::size_t rest = choice, num_slides = 0;
      for (std::size_t s = 0; s < surfaces.size(); ++s, rest /= 3) {
        const int side = static_cast<int>(rest % 3) - 1;
        leave(surfaces[s], side, trial);
        if (side != 0) continue;
        Hold slide;
        slide.surface = surfaces[s];
        trial.holds.push_back(slide);
        ++num_slides;
      }
      std::sort(trial.holds.begin(), trial.holds.end());
      if (num_slides == count && is_consistent(t, cause, left, trial)) found.push_back(trial);
    }
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    fail("ambiguous-sliding",
         fmt::format("event at t = {:.10g}: {} sliding modes are possible; surfaces: {}", t,
                     found.size(), quoted_list(surface_texts(surfaces))));
    return std::nullopt;
  }
  if (!is_consistent(t, cause, left, found.front())) return std::nullopt;
  result_.summary.status = "success";
  result_.summary.message.clear();
  return found.front();
}

std::vector<std::string> Run::surface_texts(const std::vector<std::size_t>& surfaces) const {
  std::vector<std::string> texts;
  for (std::size_t surface : surfaces)
    texts.push_back(
        hybrid_.relations()[hybrid_.surfaces()[surface].relations.front().relation].text);
  return texts;
}

}  // namespace hydae
