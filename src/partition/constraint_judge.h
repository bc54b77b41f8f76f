// What taking one more constraint does to stability: the estimates of section 3 of Raha & Petzold
// 2000, confirmed by the exact logarithmic norm where an estimate would refuse.
#pragma once

#include <functional>

#include "partition/partition_system.h"
#include "partition/pivot_set.h"
#include "partition/semi_explicit.h"
#include "partition/underlying_ode.h"

namespace hydae::partition {

// One of these for each phase. Rows and columns are those of the phase's PivotSet.
class Judge {
 public:
  virtual ~Judge() = default;
  // With the pair (row, column), whose pivot is not zero.
  virtual Stability judge(int row, int column, double pivot, bool must_include) = 0;
  // |C_1| or |C_2| of the row: together with the pivot it says how strongly variable and states are
  // connected.
  virtual double row_size(int row) const = 0;
  // Exact log norm of the pairs chosen now.
  virtual double compute_exact(States states = States::kAll) const = 0;

  double limit() const { return limit_; }
  double bound() const { return bound_; }
  void take(const Stability& stability) { bound_ = stability.exact.value_or(stability.estimate); }
  // Exact log norm; estimates start from it again, unless they are summed as in the paper.
  double check_back() {
    const double exact = compute_exact(States::kAll);
    if (options_.sums == Sums::kExact) bound_ = exact;
    return exact;
  }

 protected:
  Judge(const SystemOptions& options, double limit, double bound)
      : options_(options), limit_(limit), bound_(bound) {}
  // Compares `stability.estimate`, then the exact norm, with the limit.
  Stability decide(Stability stability, bool must_include,
                   const std::function<double(States)>& exact_with) const;

  const SystemOptions& options_;
  double limit_;
  double bound_;  // of the log norm of the pairs chosen so far, from above
};

class Index1Judge : public Judge {
 public:
  Index1Judge(const SemiExplicit& s, const PivotSet& index1, const SystemOptions& options,
              double limit);
  Stability judge(int row, int column, double pivot, bool must_include) override;
  double row_size(int row) const override;
  double compute_exact(States states) const override;

 private:
  const SemiExplicit& s_;
  const PivotSet& index1_;
};

class Index2Judge : public Judge {
 public:
  struct Parts {
    const SemiExplicit& s;
    const PivotSet& index1;
    const Eliminated& eliminated;
    const PivotSet& index2;
  };
  Index2Judge(const Parts& parts, const SystemOptions& options, double limit, double bound);
  Stability judge(int row, int column, double pivot, bool must_include) override;
  double row_size(int row) const override;
  double compute_exact(States states) const override;

 private:
  // |p^T R p| of (18) over unit vectors p of the leading eigenspace.
  struct Range {
    double least = 1, most = 1;
  };
  Range compute_k(const Vector& c, const Vector& t) const;
  double norm_of(const PivotSet& index2, States states) const;
  StabilityRule find_harmless_rule(int row, const Vector& c, const Vector& t) const;

  Parts parts_;
  Matrix leading_;  // eigenvectors of (H + H^T)/2 to its largest eigenvalue; none if H = 0
};

// mu(-T (C_2 T)^-1 C_2') + |u'|/2 with u = C_2^T / |C_2|: the increase in (19).
double index2_increase(const Vector& c, const Vector& c_rate, const Vector& t);

}  // namespace hydae::partition
