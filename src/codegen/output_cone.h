// What one output of a program needs: the variables it reads and the operations between them.
#pragma once

#include <vector>

#include "codegen/linked_tape.h"

namespace hydae::codegen {

struct OutputCone {
  bool is_made = false;
  bool has_code = false;      // it goes through a function that exists as code
  std::vector<int> sleepers;  // of instrs: functions that may be as good as constant (sleeping.h)
  std::vector<int> inputs;    // variables
  std::vector<int> instrs;    // positions in LinkedTape::output_instrs, in order
};

// Of all outputs, each made when it is first asked for.
class OutputCones {
 public:
  // Both must outlive this.
  OutputCones(const Program& program, const LinkedTape& tape);
  OutputCones(const OutputCones&) = delete;
  OutputCones& operator=(const OutputCones&) = delete;
  const OutputCone& of(int output);

 private:
  void make(int output, OutputCone& cone) const;

  const Program& program_;
  const LinkedTape& tape_;
  std::vector<int> instr_of_series_;
  std::vector<OutputCone> cones_;
};

}  // namespace hydae::codegen
