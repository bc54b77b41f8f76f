// Calls of functions, record constructors and external functions. A call is executed on the spot
// with symbolic values: what comes out is a formula of the arguments (the function is inlined), or
// a number if they are known.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "modelica/evaluate.h"

namespace hydae::modelica {

// A function, or a record seen as its constructor: inputs, results and the rest, in order.
struct FunctionInfo {
  Instance* instance = nullptr;
  std::vector<Element*> variables;  // by slot
  std::vector<Element*> inputs, outputs;
  struct Body {
    Instance* scope;
    const syntax::Section* section;
  };
  std::vector<Body> bodies;
  const syntax::External* external = nullptr;
  Instance* external_scope = nullptr;
  bool is_record = false;
  bool generates_events = false;
};

// An argument, by position (no name) or by name.
struct Given {
  Symbol name;
  Value value;
  SourceRange range;
};

// Thrown while a function is executed with values that change during the simulation, when the
// execution needs a number: how often a loop runs, for instance.
struct NotInlinable {
  std::string reason;
  SourceRange range;
};

class Functions {
 public:
  explicit Functions(Session& session) : session_(session) {}

  Value call(Element& function, std::vector<Given> arguments, bool is_silent, SourceRange range);
  const FunctionInfo& info(Element& function);

  // `value` as a value of a function's variable: checks type and sizes.
  Value fit(Element& element, Value value, const Env& env, SourceRange range);

  // How many functions are being executed.
  int depth() const { return depth_; }

 private:
  const FunctionInfo& info(Instance& instance);
  Value call_with(const FunctionInfo& called, std::vector<Value> arguments,
                  const std::vector<bool>& is_given, bool is_silent, SourceRange range);
  Value call_once(const FunctionInfo& called, std::vector<Value> arguments,
                  const std::vector<bool>& is_given, bool is_silent, SourceRange range);
  Value execute(const FunctionInfo& called, std::vector<Value> arguments,
                const std::vector<bool>& is_given, bool is_silent, SourceRange range);
  void fill_inputs(const FunctionInfo& called, Frame& frame, const Env& env,
                   std::vector<Value>& arguments, const std::vector<bool>& is_given,
                   SourceRange range);
  void declare_variable(Element& element, Frame& frame, const Env& env);
  Value results(const FunctionInfo& called, const Frame& frame, SourceRange range);
  Value record_result(const FunctionInfo& record, const Frame& frame);
  int formal_rank(Element& element);
  Value default_value(Element& element, const Sizes& sizes, const Frame& frame, const Env& env);
  Value default_record(Element& element, const Frame& outer, const Env& env);
  void collect(FunctionInfo& info, Instance& part);

  Session& session_;
  std::unordered_map<const Instance*, std::unique_ptr<FunctionInfo>> infos_;
  int depth_ = 0;
  std::int64_t num_calls_ = 0;  // since the outermost one began
};

}  // namespace hydae::modelica
