#include "sim/contact_law.h"

#include <cmath>

#include "linalg/dense_factors.h"
#include "linalg/lcp.h"

namespace hydae {
namespace {

constexpr int kMostImpacts = 100000;  // one after the other
constexpr double kSlow = 1e-6;        // an infinitely slow collision, relative to the speeds

// Coulomb's law of impulses: with speeds w = u + W P find normal impulses P >= given and tangential
// ones such that
//   0 <= P - given | w >= 0                for each contact,
//   -P_t in mu P Sgn(w_t)                  for each tangential direction.
// As a linear complementarity problem with P_t = plus - minus and a slack for |w_t|,
//   0 <= plus | slack + w_t >= 0,  0 <= minus | slack - w_t >= 0,  0 <= slack | mu P - plus -
//   minus,
// it has a copositive matrix, so that Lemke's method finds a solution whenever W is positive
// semidefinite (Stewart & Trinkle 1996, Anitescu & Potra 1997). Impulses and speeds are scaled so
// that W has a unit diagonal.
class CoulombImpulses {
 public:
  CoulombImpulses(const ContactImpact& impact, const Eigen::VectorXd& speeds,
                  const Eigen::VectorXd& given)
      : in_(impact), n_(impact.num_contacts()), m_(impact.W.rows() - n_) {
    scale_ = in_.W.diagonal().cwiseAbs().unaryExpr(
        [](double w) { return w > 0 ? 1 / std::sqrt(w) : 1.0; });
    W_ = scale_.asDiagonal() * in_.W * scale_.asDiagonal();
    u_ = scale_.cwiseProduct(speeds);
    given_ = given.cwiseQuotient(scale_.head(n_));
    size_ = std::max(u_.cwiseAbs().maxCoeff(), given_.cwiseAbs().maxCoeff());
  }

  std::optional<Eigen::VectorXd> solve() {
    if (!(size_ > 0)) return Eigen::VectorXd::Zero(n_ + m_);
    // P = B z + (given, 0) in terms of the unknowns z = (P - given, plus, minus, slack).
    const Eigen::Index size = n_ + 3 * m_, minus = n_ + m_, slack = n_ + 2 * m_;
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n_ + m_, size);
    B.leftCols(n_ + m_).setIdentity();
    B.block(n_, minus, m_, m_).diagonal().setConstant(-1);
    Eigen::VectorXd P0 = Eigen::VectorXd::Zero(n_ + m_);
    P0.head(n_) = given_;
    const Eigen::MatrixXd response = W_ * B;
    const Eigen::VectorXd w0 = u_ + W_ * P0;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(size);
    M.topRows(n_ + m_) = response;
    M.middleRows(minus, m_) = -response.bottomRows(m_);
    q.head(n_ + m_) = w0;
    q.segment(minus, m_) = -w0.tail(m_);
    for (Eigen::Index t = 0; t < m_; ++t) {
      M(n_ + t, slack + t) = M(minus + t, slack + t) = 1;
      M(slack + t, n_ + t) = M(slack + t, minus + t) = -1;
      M(slack + t, friction(t).contact) = mu(t);
      q(slack + t) = mu(t) * given_(friction(t).contact);
    }
    const auto z = linalg::solve_lcp(M, q / size_);
    if (!z) return std::nullopt;
    return scale_.cwiseProduct(size_ * (B * *z) + P0);
  }

 private:
  const ImpactFriction& friction(Eigen::Index t) const {
    return in_.friction[static_cast<std::size_t>(t)];
  }
  double mu(Eigen::Index t) const {  // of scaled impulses
    return friction(t).mu * scale_(friction(t).contact) / scale_(n_ + t);
  }

  const ContactImpact& in_;
  Eigen::Index n_, m_;
  Eigen::MatrixXd W_;
  Eigen::VectorXd scale_, u_, given_;
  double size_ = 0;
};

std::optional<Eigen::VectorXd> coulomb(const ContactImpact& in, const Eigen::VectorXd& speeds) {
  return CoulombImpulses(in, speeds, Eigen::VectorXd::Zero(in.num_contacts())).solve();
}

// What sticking aims at: the slip velocity comes back with its restitution.
Eigen::VectorXd with_rebound(const ContactImpact& in, Eigen::VectorXd speeds) {
  for (std::size_t t = 0; t < in.friction.size(); ++t) {
    const Eigen::Index at = in.num_contacts() + static_cast<Eigen::Index>(t);
    speeds(at) += in.friction[t].restitution * in.before(at);
  }
  return speeds;
}

// 0 <= v + e v- | impulse >= 0. A gap that opens by itself only must not close.
std::optional<Eigen::VectorXd> newton(const ContactImpact& in) {
  Eigen::VectorXd speeds = with_rebound(in, in.before);
  speeds.head(in.num_contacts()) +=
      in.restitution.cwiseProduct(in.before.head(in.num_contacts()).cwiseMin(0.0));
  return coulomb(in, speeds);
}

// After the compression each contact gives back its share, and more if a gap would close again.
std::optional<Eigen::VectorXd> expand(const ContactImpact& in, const Eigen::VectorXd& compression) {
  const Eigen::VectorXd given = in.restitution.cwiseProduct(compression.head(in.num_contacts()));
  const auto expansion =
      CoulombImpulses(in, with_rebound(in, in.before + in.W * compression), given).solve();
  if (!expansion) return std::nullopt;
  return compression + *expansion;
}

// Compression until no gap closes, then expansion.
std::optional<Eigen::VectorXd> poisson(const ContactImpact& in) {
  const auto compression = coulomb(in, in.before);
  return compression ? expand(in, *compression) : std::nullopt;
}

// One contact with its tangential directions.
ContactImpact alone(const ContactImpact& in, Eigen::Index contact, const Eigen::VectorXd& speeds,
                    std::vector<Eigen::Index>& places) {
  ContactImpact single;
  single.restitution = in.restitution.segment(contact, 1);
  places = {contact};
  for (std::size_t t = 0; t < in.friction.size(); ++t) {
    if (in.friction[t].contact != contact) continue;
    single.friction.push_back({0, in.friction[t].mu, in.friction[t].restitution});
    places.push_back(in.num_contacts() + static_cast<Eigen::Index>(t));
  }
  single.W = in.W(places, places);
  single.before = speeds(places);
  return single;
}

// The fastest closing contact first, until none closes. What is left after very many impacts is
// taken without restitution.
std::optional<Eigen::VectorXd> sequential(const ContactImpact& in) {
  const double small = 1e-12 * in.before.cwiseAbs().maxCoeff();
  Eigen::VectorXd impulses = Eigen::VectorXd::Zero(in.before.size()), speeds = in.before;
  std::vector<Eigen::Index> places;
  for (int count = 0; count < kMostImpacts; ++count) {
    Eigen::Index i = 0;
    const double fastest = speeds.head(in.num_contacts()).minCoeff(&i);
    if (fastest >= -small) return impulses;
    if (!(in.W(i, i) > 0)) return std::nullopt;
    const auto impulse = newton(alone(in, i, speeds, places));
    if (!impulse) return std::nullopt;
    impulses(places) += *impulse;
    speeds += in.W(Eigen::all, places) * *impulse;
  }
  const auto rest = coulomb(in, speeds);
  if (!rest) return std::nullopt;
  return impulses + *rest;
}

ContactImpulses result_of(const ContactImpact& impact, const Eigen::VectorXd& impulses) {
  ContactImpulses result;
  result.impulses = impulses;
  result.after = impact.before + impact.W * impulses;
  result.energy_gain = 0.5 * impulses.dot(result.after + impact.before);
  return result;
}

// The same contacts acting, sticking and sliding as in `example`, which ends with gaps at rest: the
// impulses that bring `in.before` there.
std::optional<Eigen::VectorXd> compress_like(const ContactImpact& in,
                                             const Eigen::VectorXd& example,
                                             const Eigen::VectorXd& after) {
  const Eigen::Index n = in.num_contacts(), size = in.W.rows();
  const double small = kSlow * kSlow * after.cwiseAbs().maxCoeff();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  const auto stop = [&](Eigen::Index i) { A.row(i) = in.W.row(i), b(i) = -in.before(i); };
  for (Eigen::Index i = 0; i < n; ++i) {
    if (example(i) > 0)
      stop(i);
    else
      A(i, i) = 1;
  }
  for (Eigen::Index i = n; i < size; ++i) {
    const ImpactFriction& friction = in.friction[static_cast<std::size_t>(i - n)];
    if (std::abs(after(i)) <= small && example(friction.contact) > 0) {
      stop(i);
    } else {
      A(i, i) = 1;
      A(i, friction.contact) = after(i) > 0 ? friction.mu : -friction.mu;
    }
  }
  const linalg::FullPivotLu factors(A);
  if (factors.rank() < size) return std::nullopt;
  return factors.solve(b);
}

}  // namespace

std::optional<ContactImpulses> solve_impact(const ContactImpact& impact) {
  const auto impulses = impact.law == ImpactLaw::kNewton    ? newton(impact)
                        : impact.law == ImpactLaw::kPoisson ? poisson(impact)
                                                            : sequential(impact);
  if (!impulses) return std::nullopt;
  return result_of(impact, *impulses);
}

std::optional<ContactImpulses> solve_impact_without_collision(const ContactImpact& impact) {
  if (impact.friction.empty()) return std::nullopt;
  const Eigen::Index n = impact.num_contacts();
  ContactImpact slow = impact;
  slow.before.head(n).setConstant(-kSlow * impact.before.cwiseAbs().maxCoeff());
  const auto example = coulomb(slow, slow.before);
  if (!example) return std::nullopt;
  const auto compression = compress_like(impact, *example, slow.before + slow.W * *example);
  if (!compression) return std::nullopt;
  const auto impulses =
      impact.law == ImpactLaw::kPoisson ? expand(impact, *compression) : compression;
  if (!impulses) return std::nullopt;
  const ContactImpulses result = result_of(impact, *impulses);
  const double change = (result.after - impact.before).cwiseAbs().maxCoeff();
  if (!(change > kSlow * impact.before.cwiseAbs().maxCoeff())) return std::nullopt;
  return result;
}

}  // namespace hydae
