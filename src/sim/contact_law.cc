#include "sim/contact_law.h"

#include "linalg/lcp.h"

namespace hydae {
namespace {

constexpr int kMostImpacts = 100000;  // one after the other

// 0 <= v + e v- | impulse >= 0. A gap that opens by itself only must not close.
std::optional<Eigen::VectorXd> newton(const ContactImpact& in) {
  return linalg::solve_lcp(in.W, in.before + in.restitution.cwiseProduct(in.before.cwiseMin(0.0)));
}

// Compression until no gap closes; then each contact gives back its share, and more if a gap would
// close again.
std::optional<Eigen::VectorXd> poisson(const ContactImpact& in) {
  const auto compression = linalg::solve_lcp(in.W, in.before);
  if (!compression) return std::nullopt;
  const Eigen::VectorXd given = *compression + in.restitution.cwiseProduct(*compression);
  const auto more = linalg::solve_lcp(in.W, in.before + in.W * given);
  if (!more) return std::nullopt;
  return given + *more;
}

// The fastest closing contact first, until none closes. What is left after very many impacts is
// taken without restitution.
std::optional<Eigen::VectorXd> sequential(const ContactImpact& in) {
  const double small = 1e-12 * (1 + in.before.cwiseAbs().maxCoeff());
  Eigen::VectorXd impulses = Eigen::VectorXd::Zero(in.before.size()), speeds = in.before;
  for (int count = 0; count < kMostImpacts; ++count) {
    Eigen::Index i = 0;
    const double fastest = speeds.minCoeff(&i);
    if (fastest >= -small) return impulses;
    if (!(in.W(i, i) > 0)) return std::nullopt;
    const double impulse = -(1 + in.restitution(i)) * fastest / in.W(i, i);
    impulses(i) += impulse;
    speeds += impulse * in.W.col(i);
  }
  const auto rest = linalg::solve_lcp(in.W, speeds);
  if (!rest) return std::nullopt;
  return impulses + *rest;
}

}  // namespace

std::optional<ContactImpulses> solve_impact(const ContactImpact& impact) {
  const auto impulses = impact.law == ImpactLaw::kNewton    ? newton(impact)
                        : impact.law == ImpactLaw::kPoisson ? poisson(impact)
                                                            : sequential(impact);
  if (!impulses) return std::nullopt;
  ContactImpulses result;
  result.impulses = *impulses;
  result.after = impact.before + impact.W * *impulses;
  result.energy_gain = 0.5 * impulses->dot(result.after + impact.before);
  return result;
}

}  // namespace hydae
