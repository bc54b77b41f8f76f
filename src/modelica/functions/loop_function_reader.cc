// Function programs from the text of a flat model (program_text.h).
#include <fmt/format.h>

#include "expr/walk.h"
#include "modelica/components/components.h"
#include "modelica/flat/flat.h"
#include "modelica/flat/flat_names.h"
#include "modelica/functions/function_variables.h"
#include "modelica/functions/loop_function_text.h"

namespace hydae::modelica {

namespace {

using StatementList = syntax::List<const syntax::Statement*>;

class ProgramReader {
 public:
  ProgramReader(Session& session, const FunctionInfo& written)
      : session_(session), written_(written), recorder_(*session.graph) {
    frame_.function = written.instance;
    frame_.slots.resize(written.variables.size());
    frame_.declared.assign(written.variables.size(), Progress::kDone);
    frame_.has_returned = frame_.has_broken = session.graph->boolean(false);
    for (Element* input : written.inputs) add(*input);
    for (Element* output : written.outputs) add(*output);
    for (Element* local : written.variables)
      if (frame_.slots[static_cast<std::size_t>(local->slot)] == nullptr) add(*local);
  }

  Function read(const std::string& name, FunctionId derivative, SourceRange range) {
    for (const FunctionInfo::Body& body : written_.bodies) {
      env_.scope = body.scope;
      env_.frame = &frame_;
      env_.is_silent = true;
      read_list(body.section->statements);
    }
    std::vector<NodeId> outputs;
    for (const Element* output : written_.outputs)
      outputs.push_back(frame_.slots[static_cast<std::size_t>(output->slot)]->scalar());
    const auto num_inputs = static_cast<int>(written_.inputs.size());
    return make_function({name, num_inputs, range, derivative}, *session_.graph, recorder_, outputs,
                         session_.flat->functions);
  }

 private:
  [[noreturn]] void fail(const std::string& message, SourceRange range) {
    session_.fail("flat-function", message, range);
  }

  void add(Element& element) {
    const BaseType base = element.component->base();
    const bool is_local = element.component->causality == syntax::Causality::kNone;
    const bool is_of_register = base == BaseType::kReal || (is_local && base == BaseType::kBoolean);
    if (!is_of_register || FunctionVariables(session_).formal_rank(element) != 0)
      fail(fmt::format("`{}` is no register of a program", session_.text(element.name)),
           element.declaration->range());
    frame_.slots[static_cast<std::size_t>(element.slot)] =
        std::make_shared<Value>(Value::scalar_of(base, recorder_.add_register()));
  }

  void read_list(const StatementList& statements) {
    for (const syntax::Statement* statement : statements) {
      session_.check_stack(statement->range);
      if (const auto* assign = syntax::find<syntax::AssignStatement>(statement))
        read_assignment(*assign);
      else if (const auto* loop = syntax::find<syntax::WhileStatement>(statement))
        read_loop(*loop);
      else
        fail("only assignments and while-loops make a program", statement->range);
    }
  }

  void read_assignment(const syntax::AssignStatement& statement) {
    const auto& parts = statement.target->parts;
    const Value* target = nullptr;
    for (const Element* element : written_.variables)
      if (parts.size() == 1 && parts.front().subscripts.empty() &&
          element->name == parts.front().name.symbol &&
          element->component->causality != syntax::Causality::kInput)
        target = frame_.slots[static_cast<std::size_t>(element->slot)].get();
    if (target == nullptr) fail("no register of the program", statement.range);
    const NodeId value = formula(*statement.value, target->type);
    recorder_.assign({target->scalar()}, {value});
  }

  void read_loop(const syntax::WhileStatement& statement) {
    const NodeId condition = formula(*statement.condition, BaseType::kBoolean);
    recorder_.begin_loop();
    read_list(statement.body);
    recorder_.end_loop(condition);
  }

  NodeId formula(const syntax::Expr& expr, BaseType type) {
    const NodeId id = session_.evaluator->scalar(expr, env_, type, "the value");
    for (const NodeId below : walk_.order(*session_.graph, id))
      if (!is_of_program(session_.graph->node(below)))
        fail("a program computes with its registers only", expr.range);
    return id;
  }

  static bool is_of_program(const Node& node) {
    switch (node.op) {
      case Op::kVariable: return ProgramRecorder::is_register(node.variable) && node.order == 0;
      case Op::kParameter:
      case Op::kTime:
      case Op::kPre:
      case Op::kInitial:
      case Op::kTerminal:
      case Op::kSample:
      case Op::kDelay: return false;
      default: return true;
    }
  }

  Session& session_;
  const FunctionInfo& written_;
  ProgramRecorder recorder_;
  Frame frame_;
  Env env_;
  Walk walk_;
};

}  // namespace

Function read_program(Session& session, const FunctionInfo& written, FunctionId derivative,
                      SourceRange range) {
  const std::string name = function_name_of(session.path_text(written.instance->def->name));
  return ProgramReader(session, written).read(name, derivative, range);
}

}  // namespace hydae::modelica
