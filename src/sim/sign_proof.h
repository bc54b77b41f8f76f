// A proof that a guard keeps its side over a step, or where it leaves it, or where neither can be
// shown. Parts of the step in which interval arithmetic is too coarse are halved; next to a root
// the guard is shown to be monotone, so that there is one root and no more.
#pragma once

#include <functional>
#include <optional>

#include "sim/step_enclosure.h"

namespace hydae {

class SignProof {
 public:
  enum class Verdict {
    kKept,     // on its side everywhere
    kLeft,     // at `end` it is on the other side; from the start to `begin` it is on its own
    kOpen,     // neither is shown between `begin` and `end`; up to `begin` it is on its side
    kNothing,  // nothing can be shown of it at all
  };
  struct Result {
    Verdict verdict = Verdict::kKept;
    double begin = 0, end = 1;
    bool is_monotone = false;  // of kLeft: between `begin` and `end`, so there is one root
  };
  struct Question {
    int held_sign = 1;
    int num_known_zeros = 0;  // at the start
    double errors = 0;        // at the start the guard may be on the other side by this much
    double until = 1;
  };
  // An enclosure over a part, false if there is none.
  using Enclose = std::function<bool(const EnclosedPart&, OutputEnclosure&)>;

  Result prove(const Question& question, const Enclose& enclose);

 private:
  enum class Sign { kHeld, kOther, kUnknown };

  void look(double begin, double width, int depth);
  bool is_settled(double begin, double width);
  bool is_settled_by_slope(double begin, double width);
  bool is_settled_at_start(double width);
  Sign sign_of(poly::Interval values) const;
  Sign sign_at(double place);

  Question question_;
  const Enclose* enclose_ = nullptr;
  OutputEnclosure enclosure_;
  Result result_;
  int num_parts_ = 0;
};

}  // namespace hydae
