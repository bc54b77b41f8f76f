// Events that accumulate. The times of one kind of event (the same relations) are watched: when
// their distances shrink by a ratio that settles below one, infinitely many events happen before a
// finite time. It is predicted by Aitken's formula, for the times and for the state.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hydae {

struct Accumulation {
  double t = 0;
  double ratio = 0;
  long num_events = 0;              // so far
  std::set<std::size_t> relations;  // of all kinds of event that accumulate at this time
  std::vector<double> state;
};

class ZenoWatch {
 public:
  struct Event {
    double t;
    std::vector<double> state;
  };
  struct History {
    std::deque<Event> events;  // the last four
    long count = 0;
    double since = 0;  // the ratio has settled
  };
  using Histories = std::map<std::vector<std::size_t>, History>;  // by relations

  // An event: its relations and the state after it.
  void observe(double t, const std::vector<std::size_t>& relations, std::vector<double> state);
  // Events that accumulate so soon that nothing can be resolved before.
  std::optional<Accumulation> find_accumulation() const;
  void clear() {
    histories_.clear();
    last_.clear();
  }

  // What it remembers.
  const Histories& histories() const { return histories_; }
  const std::vector<std::size_t>& last() const { return last_; }
  void restore(Histories histories, std::vector<std::size_t> last) {
    histories_ = std::move(histories);
    last_ = std::move(last);
  }

 private:
  // Time left until the events accumulate; none if they do not.
  static std::optional<double> remaining_time(const History& history, double& ratio);

  Histories histories_;
  std::vector<std::size_t> last_;  // relations of the last event
};

}  // namespace hydae
