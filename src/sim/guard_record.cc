#include "sim/guard_record.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <unordered_map>
#include <utility>

namespace hydae {
namespace {

// One entry for each relation, in the order in which they come.
class EventFunctionList {
 public:
  void add(const EventFunction& more) {
    const auto [known, is_new] = place_.emplace(more.relation, list_.size());
    if (is_new) return list_.push_back(more);
    EventFunction& same = list_[known->second];
    same.grade = std::max(same.grade, more.grade);
    same.sampled_steps += more.sampled_steps;
    if (!same.unproved) same.unproved = more.unproved;
  }
  std::vector<EventFunction> take() { return std::move(list_); }

 private:
  std::vector<EventFunction> list_;
  std::unordered_map<std::string, std::size_t> place_;
};

}  // namespace

const char* name_of(EventGrade grade) {
  switch (grade) {
    case EventGrade::kCertified: return "certified";
    case EventGrade::kEstimated: return "estimated";
    case EventGrade::kSampled: return "sampled";
  }
  return "";
}

GuardRecord::GuardRecord(const HybridModel& model, RunReport& report)
    : model_(model), report_(report), met_(model.relations().size()) {}

void GuardRecord::note(std::size_t relation, const Step& step) {
  if (met_.size() <= relation) met_.resize(model_.relations().size());
  Met& met = met_[relation];
  met.is_met = true;
  met.function.grade = std::max(met.function.grade, step.grade);
  if (step.grade == EventGrade::kSampled) ++met.function.sampled_steps;
  if (!step.unproved || met.function.unproved) return;
  met.function.unproved = step.unproved;
  report_.warn(fmt::format("not certified: nothing is proved of `{}` at t = {:.10g}",
                           model_.relations()[relation].text, *step.unproved));
}

std::vector<EventFunction> GuardRecord::functions() const {
  EventFunctionList list;
  for (std::size_t k = 0; k < model_.relations().size(); ++k) {
    const Relation& relation = model_.relations()[k];
    const bool is_met = k < met_.size() && met_[k].is_met;
    if (relation.is_silent || !(is_met || (relation.is_time_only && relation.is_watched))) continue;
    EventFunction function = is_met ? met_[k].function : EventFunction{};
    function.relation = relation.text;
    list.add(function);
  }
  return list.take();
}

std::vector<EventFunction> joined(const std::vector<EventFunction>& first,
                                  const std::vector<EventFunction>& second) {
  EventFunctionList list;
  for (const auto* part : {&first, &second})
    for (const EventFunction& function : *part) list.add(function);
  return list.take();
}

}  // namespace hydae
