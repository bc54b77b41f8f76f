#include "sim/pulse_watch.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "expr/incidence.h"
#include "expr/walk.h"
#include "poly/convergence.h"
#include "poly/polynomial.h"

namespace hydae {
namespace {

using Shape = PulseWatch::Shape;

// Logarithms of sizes. A function that is smaller than this at its largest counts for nothing.
constexpr double kUnseen = -30;
// A tanh that is one to nine digits.
constexpr double kSaturated = -20;
// What the top must stand above both ends of the step: ten times as large.
constexpr double kHill = 2.302585;
// A function without a hill of this height bends its argument by less than half of it.
constexpr double kBend = 1.0;
// Steps up the hill: the function grows threefold or so in each.
constexpr double kGrowth = 1.0;
// Terms beyond a series over a part of the step, relative: the argument is known well enough.
constexpr double kKnown = 1e-8;
constexpr double kShortestPart = 0x1p-8;
constexpr std::size_t kPlaces = 33;  // of a part that are looked at first
constexpr int kRefinements = 40;

bool is_formula(const System& system, NodeId node) {
  const Graph& graph = system.graph();
  const Contents has = contents(graph, node);
  if (!has.has_variables && !has.has_time) return false;  // constant
  if (has.has_pre || has.has_relations || has.has_switching || has.has_counters || has.has_calls ||
      has.has_delays || has.has_samples)
    return false;
  return std::ranges::all_of(leaves(graph, std::span(&node, 1)), [&](Leaf leaf) {
    return system.find_column(leaf.variable).has_value();
  });
}

// Where f is largest between `low` and `high`: it has one maximum there.
double place_of_maximum(const auto& f, double low, double high) {
  constexpr double kGolden = 0.6180339887498949;
  for (int k = 0; k < kRefinements; ++k) {
    const double width = kGolden * (high - low), left = high - width, right = low + width;
    (f(left) > f(right) ? high : low) = f(left) > f(right) ? right : left;
  }
  return (low + high) / 2;
}

// Logarithm of the size of the function, but for a constant.
double height(Shape shape, double argument) {
  switch (shape) {
    case Shape::kExponential: return argument;
    case Shape::kSigmoid: return -2 * std::abs(argument);
    case Shape::kReciprocal: return -std::log(std::abs(argument));
  }
  return 0;
}

// Below this the function counts for nothing; what a reciprocal is a factor of is not known.
double nothing(Shape shape) { return shape == Shape::kReciprocal ? -HUGE_VAL : kUnseen; }

// Above this at the ends of a step the function is seen there: a single tanh that changes its side
// in a step shows at the end.
double seen(Shape shape) { return shape == Shape::kSigmoid ? kSaturated : HUGE_VAL; }

// A part of a step, with the series of the argument about its start.
class ArgumentPart {
 public:
  ArgumentPart(std::span<const double> series, Shape shape) : series_(series), shape_(shape) {}

  bool is_known() const {
    double sum = 0;
    for (double c : series_) sum += std::abs(c);
    const auto tail = poly::estimate_tail(series_);
    return tail && *tail <= kKnown * sum;
  }

  // A hill that stands above `least`.
  std::optional<double> find_top(double least) const {
    for (std::size_t i = 0; i < kPlaces; ++i) {
      const double before = at(i == 0 ? 0 : i - 1), after = at(std::min(i + 1, kPlaces - 1));
      const double here = height_at(at(i));
      if (here < height_at(before) || here < height_at(after)) continue;
      const double top =
          place_of_maximum([&](double tau) { return height_at(tau); }, before, after);
      if (height_at(top) > least) return top;
    }
    return std::nullopt;
  }

  // From where the function begins to count.
  PulseWatch::Pulse way_to(double top) const {
    const double low =
        std::min(std::max(height_at(0) + kGrowth, nothing(shape_)), height_at(top) - kGrowth);
    const double begin = place_of_height(low, 0, top);
    return {begin, top, place_of_height(low + kGrowth, begin, top) - begin};
  }

 private:
  static double at(std::size_t place) { return static_cast<double>(place) / (kPlaces - 1); }
  double height_at(double tau) const { return height(shape_, poly::evaluate(series_, tau)); }
  double place_of_height(double wanted, double below, double above) const {
    for (int k = 0; k < kRefinements; ++k) {
      const double middle = (below + above) / 2;
      (height_at(middle) < wanted ? below : above) = middle;
    }
    return below;
  }

  std::span<const double> series_;
  Shape shape_;
};

}  // namespace

PulseWatch::PulseWatch(const System& system) {
  const Graph& graph = system.graph();
  std::set<NodeId> seen;
  Walk walk;
  for (NodeId id : walk.order(graph, system.residuals.raw(), Walk::Scope::kGiven)) {
    const Node node = graph.node(id);
    const auto take = [&](NodeId argument, Shape shape) {
      if (!is_formula(system, argument) || !seen.insert(argument).second) return;
      arguments_.push_back(argument);
      shapes_.push_back(shape);
    };
    switch (node.op) {
      case Op::kExp: take(node.a, Shape::kExponential); break;
      case Op::kTanh:
      case Op::kCosh: take(node.a, Shape::kSigmoid); break;
      case Op::kDiv: take(node.b, Shape::kReciprocal); break;
      case Op::kPow:
        if (graph.op(node.b) == Op::kConstant && graph.node(node.b).value < 0)
          take(node.a, Shape::kReciprocal);
        break;
      default: break;
    }
  }
}

// Smooth arguments with a hill between two places are bent. A reciprocal is bent relative to its
// smaller end, which a dip to a tenth of it asks for.
bool PulseWatch::may_have_hill(std::size_t k) const {
  const auto [begin, middle, end] = values_[k];
  const double bend = std::abs(middle - (begin + end) / 2);
  if (!std::isfinite(bend)) return false;
  if (shapes_[k] == Shape::kReciprocal)
    return bend > 0.5 * std::min(std::abs(begin), std::abs(end));
  const bool turns = shapes_[k] == Shape::kSigmoid && (begin > 0) != (end > 0);
  return turns || bend > kBend;
}

// Place after place: what linear equations give there is solved for once.
void PulseWatch::read_values(StepOutputs& outputs, std::size_t first_output) {
  values_.resize(arguments_.size());
  for (std::size_t place : {0, 1, 2})
    for (std::size_t k = 0; k < arguments_.size(); ++k)
      values_[k][place] = outputs.value(first_output + k, 0.5 * static_cast<double>(place));
}

std::optional<PulseWatch::Pulse> PulseWatch::find(StepOutputs& outputs, std::size_t first_output) {
  read_values(outputs, first_output);
  std::optional<Pulse> first;
  for (std::size_t k = 0; k < arguments_.size(); ++k) {
    if (!may_have_hill(k)) continue;
    const auto pulse = find_in(outputs, first_output + k, k);
    if (pulse && (!first || pulse->begin < first->begin)) first = pulse;
  }
  return first;
}

// In parts over which the series of the argument converges.
std::optional<PulseWatch::Pulse> PulseWatch::find_in(StepOutputs& outputs, std::size_t output,
                                                     std::size_t k) const {
  const Shape shape = shapes_[k];
  const double ends = std::max(height(shape, values_[k][0]), height(shape, values_[k][2]));
  if (ends > seen(shape)) return std::nullopt;
  const double least = ends + kHill;
  double width = 1;
  for (double begin = 0; begin < 1 && width >= kShortestPart;) {
    const ArgumentPart part{outputs.series(output, begin, width), shape};
    if (!part.is_known()) {
      width /= 2;
      continue;
    }
    if (const auto top = part.find_top(std::max(least, nothing(shape)))) {
      const Pulse pulse = part.way_to(*top);
      return Pulse{begin + width * pulse.begin, begin + width * pulse.top, width * pulse.longest};
    }
    begin += width;
    width = std::min(2 * width, 1 - begin);
  }
  return std::nullopt;
}

std::optional<double> PulsePassage::find_cut(StepOutputs& outputs) {
  // Of time: what begins nearer to where a step began is no pulse that shorter steps would see.
  constexpr double kLeastCut = 1e-13;
  if (arguments().empty()) return std::nullopt;
  const auto pulse = watch_.find(outputs, first_output_);
  if (!pulse) return std::nullopt;
  const double from = outputs.from(), step = outputs.to() - from;
  const double begin = from + pulse->begin * step;
  if (std::abs(begin - from) <= kLeastCut * std::abs(begin)) return std::nullopt;
  climb_ = Climb{from + pulse->top * step, pulse->longest * step};
  return begin;
}

double PulsePassage::end_of_step(double t, double limit) const {
  if (!climb_ || (t - climb_->top) * climb_->longest >= 0) return limit;
  return std::abs(limit - t) < std::abs(climb_->longest) ? limit : t + climb_->longest;
}

}  // namespace hydae
