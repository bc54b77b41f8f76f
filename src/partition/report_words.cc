#include "partition/report_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace hydae::partition {

namespace {

std::string times_text(int times) {
  if (times == 1) return "once";
  return times == 2 ? "twice" : fmt::format("{} times", times);
}

std::string describe_stability(const Stability& s) {
  switch (s.rule) {
    case StabilityRule::kNotChecked: return "stability not checked";
    case StabilityRule::kEstimate:
      return fmt::format("log norm {:.6g} -> {:.6g} (limit {:.6g})", s.before, s.estimate, s.limit);
    case StabilityRule::kParallel: return "T is parallel to C_2^T: does not destabilise";
    case StabilityRule::kConstant: return "C_2 is constant: does not destabilise";
    case StabilityRule::kInvariant: return "(C_2 H + C_2') R = 0: does not destabilise";
    case StabilityRule::kExact:
      return fmt::format("log norm {:.6g} -> {:.6g} exactly (estimate {:.6g}, limit {:.6g})",
                         s.before, s.exact.value_or(s.estimate), s.estimate, s.limit);
    case StabilityRule::kActingStates:
      return fmt::format(
          "log norm {:.6g} above the limit {:.6g}, but not without states that act on nothing",
          s.exact.value_or(s.estimate), s.limit);
    case StabilityRule::kNoIncrease:
      return fmt::format("log norm {:.6g} above the limit {:.6g}, but not increased",
                         s.exact.value_or(s.estimate), s.limit);
    case StabilityRule::kMustInclude:
      return fmt::format("must be included; log norm {:.6g} -> {:.6g} (limit {:.6g})", s.before,
                         s.estimate, s.limit);
  }
  return "";
}

// The leading eigenvalue may have several eigenvectors, of which the paper takes one.
std::string describe_k(const Stability& s) {
  constexpr double kDigits = 1e-4;  // that are printed
  if (s.k - s.k_least <= kDigits * s.k) return fmt::format("|k| = {:.4g}, ", s.k);
  return fmt::format("|k| = {:.4g} to {:.4g} over the eigenspace, ", s.k_least, s.k);
}

std::string describe_taken(const ModelPartition& partition, const Decision& decision) {
  const SystemEquation& row = partition.equations[decision.equation.index()];
  std::string text;
  if (row.differentiations > 0)
    text = fmt::format("differentiated {}; ", times_text(row.differentiations));
  if (row.kind == SystemEquation::Kind::kAuxiliary) text += "determines a derivative; ";
  if (!row.excess.empty()) text += "as an equality while it is active; ";
  if (decision.in_limited_search) text += "completes the mass matrix; ";
  if (decision.attempts.empty()) return text + "stability not checked";
  const Attempt& last = decision.attempts.back();
  text += fmt::format("pivot {:.4g}, ", last.pivot);
  if (decision.index == 2 && last.stability.rule == StabilityRule::kEstimate)
    text += describe_k(last.stability);
  return text + describe_stability(last.stability);
}

// The largest excess over all points: an inequality that is active at one of them is a candidate.
std::string describe_no_candidate(const ModelPartition& partition, const Decision& decision) {
  const std::vector<double>& excess = partition.equations[decision.equation.index()].excess;
  if (excess.empty()) return "not a candidate";
  const double most = *std::max_element(excess.begin(), excess.end());
  if (most >= 0) return "not a candidate";
  return fmt::format("not active: {:.6g} below its limit", -most);
}

}  // namespace

const char* index_name(Index index) {
  switch (index) {
    case Index::kZero: return "0";
    case Index::kOne: return "1";
    case Index::kTwo: return "2";
    case Index::kHigher: return "higher";
    case Index::kSingular: return "singular";
    case Index::kUndecided: return "undecided";
  }
  return "";
}

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kIndex1: return "index1";
    case Outcome::kIndex2: return "index2";
    case Outcome::kUnstable: return "unstable";
    case Outcome::kHigherIndex: return "higher-index";
    case Outcome::kDependent: return "dependent";
    case Outcome::kNotCandidate: return "not-candidate";
  }
  return "";
}

const char* rule_name(StabilityRule rule) {
  switch (rule) {
    case StabilityRule::kNotChecked: return "not-checked";
    case StabilityRule::kEstimate: return "estimate";
    case StabilityRule::kParallel: return "parallel";
    case StabilityRule::kConstant: return "constant";
    case StabilityRule::kInvariant: return "invariant";
    case StabilityRule::kExact: return "exact";
    case StabilityRule::kActingStates: return "acting-states";
    case StabilityRule::kNoIncrease: return "no-increase";
    case StabilityRule::kMustInclude: return "must-include";
  }
  return "";
}

Index subsystem_index(const Partition& partition) {
  if (partition.index == Index::kSingular) return Index::kSingular;
  if (!partition.index2.empty()) return Index::kTwo;
  return partition.index1.empty() ? Index::kZero : Index::kOne;
}

std::string reason(const ModelPartition& partition, const Decision& decision) {
  switch (decision.outcome) {
    case Outcome::kIndex1:
    case Outcome::kIndex2: return describe_taken(partition, decision);
    case Outcome::kUnstable: {
      std::string text = fmt::format("index {}, but not stable enough", decision.index);
      if (decision.removed_at_check_back) text += " (taken first, removed at check back)";
      for (const Attempt& a : decision.attempts) {
        text += fmt::format("; with {}: {}", partition.variables[a.variable.index()].name,
                            describe_stability(a.stability));
      }
      return text;
    }
    case Outcome::kHigherIndex:
      return fmt::format("no free variable makes it index 1 or 2 (largest pivot {:.2g}, relative)",
                         decision.largest_refused_pivot);
    case Outcome::kDependent: return "vanishes at this time, or follows from the constraints taken";
    case Outcome::kNotCandidate: return describe_no_candidate(partition, decision);
  }
  return "";
}

}  // namespace hydae::partition
