// What makes an event: the relations whose guards vanish, the ticks that are due, the surfaces that
// are left, and how well their time is known.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/hybrid_model.h"

namespace hydae {

struct Cause {
  std::set<std::size_t> relations;  // whose guards vanish here
  std::set<std::size_t> ticks;      // of sample() that are due
  std::set<std::size_t> inputs;     // whose values jump
  bool is_initial = false;
  bool is_time_event = false;
  bool is_silent = false;  // only silent relations: no event for the model
  bool is_zeno = false;
  bool is_terminal = false;    // the end of the run
  bool is_root_alone = false;  // a root has come to zero, and nothing switches with it
  double uncertainty = 0;      // of its time
  double time_error = 0;       // of its time, for an error of the tolerance in the guards
  std::map<std::size_t, double> left_guards;       // values of the guards, as far as located
  std::vector<std::pair<std::size_t, int>> exits;  // surfaces that are left, and to which side
};

inline bool are_silent(const HybridModel& model, const std::set<std::size_t>& relations) {
  return std::all_of(relations.begin(), relations.end(),
                     [&](std::size_t k) { return model.relations()[k].is_silent; });
}

inline std::vector<std::string> texts_of(const HybridModel& model,
                                         const std::set<std::size_t>& relations) {
  std::vector<std::string> texts;
  for (std::size_t k : relations) texts.push_back(model.relations()[k].text);
  return texts;
}

}  // namespace hydae
