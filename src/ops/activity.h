// Which parts of a tape depend on some of its inputs in a way that has a derivative. Internal to
// lanes.h and adjoints.h.
#pragma once

#include <vector>

#include "ops/tape.h"

namespace hydae::ops {

struct ActiveInstruction {
  std::uint32_t number = 0;     // in the tape; ascending
  std::uint32_t is_wanted = 0;  // bit k: operand k is active (k < 3; calls: all count)
};

// Of a tape, for chosen inputs. Steps and conditions are constant; so are second derivatives of
// functions that exist as code.
struct Activity {
  Activity(const Tape& tape, std::span<const Register> inputs);

  std::vector<bool> is_active;  // by register
  std::vector<ActiveInstruction> instructions;
};

}  // namespace hydae::ops
