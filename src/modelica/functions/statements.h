// Statements of algorithms, executed with symbolic values. A condition that is not known now splits
// the execution: both branches run on copies of the frame and are joined by if-expressions.
#pragma once

#include <functional>

#include "modelica/expressions/evaluate.h"
#include "modelica/expressions/reference.h"

namespace hydae::modelica {
class ProgramRecorder;
}

namespace hydae::modelica {

class Statements {
 public:
  // What happens at a statement that only makes sense in a model (when, reinit, assert, ...).
  struct Hooks {
    std::function<void(const syntax::CallExpr&, const Env&, NodeId condition)> call;
    std::function<void(const syntax::WhenStatement&, const Env&)> when;
    std::function<void(Component&)> first_assignment;  // in an algorithm section
    std::function<void()> begin;  // statements may be run once more from the beginning
  };

  Statements(Session& session, Hooks hooks) : session_(session), hooks_(std::move(hooks)) {}

  // Runs the statements in `env.frame`.
  void run(const syntax::List<const syntax::Statement*>& statements, const Env& env);
  void assign(const syntax::ReferenceExpr& target, const Value& value, const Env& env);

  // Joins the values of two executions that started from one frame: `frame` := if condition then
  // `frame` else `other`.
  void join(NodeId condition, Frame& frame, const Frame& other, SourceRange range);

 private:
  // A register that counts the turns of a recorded loop, and its value in the next turn.
  struct LoopCounter {
    NodeId now, next;
  };

  void run_one(const syntax::Statement& statement, const Env& env);
  void run_if(const syntax::IfStatement& statement, std::size_t branch, const Env& env);
  void run_for(const syntax::ForStatement& statement, std::size_t iterator, const Env& env);
  void run_while(const syntax::WhileStatement& statement, const Env& env);
  bool run_for_range(const syntax::ForStatement& statement, std::size_t iterator, const Env& env);
  struct RecordedLoop {
    std::function<NodeId()> condition;
    std::function<void()> turn;
    std::optional<LoopCounter> counter;
  };
  void record_loop(const syntax::List<const syntax::Statement*>& body, const Env& env,
                   const RecordedLoop& loop, SourceRange range);
  struct Place;
  std::vector<Place> places(const syntax::List<const syntax::Statement*>& body, const Env& env);
  static void restore_unchanged(const std::vector<Place>& held, Frame& frame,
                                const std::vector<NodeId>& values, const std::vector<NodeId>& next);
  void assign_call(const syntax::AssignCallStatement& statement, const Env& env);
  bool is_stopped(const Frame& frame) const;
  void count_step(SourceRange range);
  void join_unassigned(NodeId condition, std::size_t slot, Frame& frame, const Frame& other);
  std::vector<std::int64_t> chosen_instances(const Component& component,
                                             const syntax::ReferencePart& part, const Env& env,
                                             Sizes& sizes);
  struct Assigned {
    const Value& value;
    SourceRange range;  // of the target
  };
  void assign_parts(Value& whole, std::span<const syntax::ReferencePart> parts,
                    std::vector<Subscript> chosen, const Assigned& to, const Env& env);
  void assign_chosen(Value& whole, std::vector<Subscript> chosen, Value value, SourceRange range);
  void assign_component(Component& component, const syntax::ReferenceExpr& target, std::size_t part,
                        const Value& value, const Env& env);
  void assign_whole(Component& component, const Value& value, const Env& env, SourceRange range);

  Session& session_;
  Hooks hooks_;
  NodeId condition_;  // under which the statements run; invalid: always
  std::int64_t steps_ = 0;
};

}  // namespace hydae::modelica
