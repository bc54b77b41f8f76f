// Statements of a model in which the number of turns of a loop changes during the simulation. They
// become a function of what they read: variables, parameters and time, and relations of these
// alone, which stay outside of the function and keep their events.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "expr/walk.h"
#include "modelica/functions/functions.h"
#include "modelica/functions/loop_function.h"

namespace hydae::modelica {

class SectionProgram {
 public:
  // While it lives, loops are recorded.
  explicit SectionProgram(Session& session);

  // What the statements have left in the frame: values that depend on a loop become calls of a
  // function of this name.
  void finish(Frame& frame, const std::string& name, SourceRange range);

 private:
  bool has_registers(NodeId root);
  bool stays_outside(NodeId id, SourceRange range);
  bool is_truth(NodeId id) const;
  void collect_inputs(const std::vector<NodeId>& roots, SourceRange range);
  std::vector<NodeId> find_outputs(Frame& frame);
  void move_formulas(std::vector<NodeId>& outputs);

  Session& session_;
  ProgramRecorder recorder_;
  Functions::Recording recording_;
  Walk walk_;
  std::map<NodeId, std::size_t> inputs_;  // what stays outside, by the number of its register
};

}  // namespace hydae::modelica
