// What a run has learned of its relations: how sure their events are, step by step.
#pragma once

#include <optional>
#include <vector>

#include "sim/guard_watch.h"
#include "sim/hybrid_model.h"
#include "sim/run_report.h"

namespace hydae {

class GuardRecord {
 public:
  GuardRecord(const HybridModel& model, RunReport& report);

  // Of one relation over a step that counts up to `until`: `unproved` is the first time at which a
  // proof was asked for and not found.
  struct Step {
    EventGrade grade = EventGrade::kEstimated;
    std::optional<double> unproved;
  };
  void note(std::size_t relation, const Step& step);

  // By text, one entry for each; what follows time alone was solved in closed form.
  std::vector<EventFunction> functions() const;

 private:
  const HybridModel& model_;
  RunReport& report_;
  struct Met {
    bool is_met = false;
    EventFunction function;
  };
  std::vector<Met> met_;  // by relation
};

// The worst of both, relation by relation: of a run in two parts.
std::vector<EventFunction> joined(const std::vector<EventFunction>& first,
                                  const std::vector<EventFunction>& second);

}  // namespace hydae
