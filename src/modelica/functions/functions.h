// Calls of functions, record constructors and external functions. A call is executed on the spot
// with symbolic values: what comes out is a formula of the arguments (the function is inlined), or
// a number if they are known.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

// A function, or a record seen as its constructor: inputs, results and the rest, in order.
struct FunctionInfo {
  Instance* instance = nullptr;
  Element* element = nullptr;       // the class
  std::vector<Element*> variables;  // by slot
  std::vector<Element*> inputs, outputs;
  struct Body {
    Instance* scope;
    const syntax::Section* section;
  };
  std::vector<Body> bodies;
  const syntax::External* external = nullptr;
  Instance* external_scope = nullptr;
  struct Annotation {
    Instance* scope;
    const syntax::Modification* written;  // may be null
  };
  std::vector<Annotation> annotations;  // of bases, of the class, of its external clause
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

[[noreturn]] void fail_not_inlinable(Session& session, const FunctionInfo& called,
                                     const NotInlinable& reason, SourceRange range);

class Derivatives;
class ProgramRecorder;
struct DerivativeNote;

class Functions {
 public:
  explicit Functions(Session& session);
  ~Functions();

  Value call(Element& function, std::vector<Given> arguments, bool is_silent, SourceRange range);
  const FunctionInfo& info(Element& function);
  const FunctionInfo& info(Instance& instance, Element* element);
  // A call in a flat text of a program or of code known by name; nothing for other functions.
  std::optional<Value> call_written(Element& function, const syntax::CallExpr& call,
                                    const Env& env);

  // Where loops go while a function program is made; null otherwise.
  ProgramRecorder* recorder() { return recorder_; }

  // While it lives, loops go to this recorder.
  class Recording {
   public:
    Recording(Functions& functions, ProgramRecorder& recorder)
        : functions_(functions), outer_(functions.recorder_) {
      functions_.recorder_ = &recorder;
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording() { functions_.recorder_ = outer_; }

   private:
    Functions& functions_;
    ProgramRecorder* outer_;
  };

  Derivatives& derivatives() { return *derivatives_; }
  // A name that no function of the flat model has yet: `name`, or `name` with a number.
  std::string free_name(const std::string& name) const;

  // Remembers what has been asserted, so that one place does not assert it twice.
  bool is_new_assertion(NodeId condition, const std::string& message) {
    return asserted_.emplace(condition, message).second;
  }

  // All but the first `count` of the model: an attempt that failed has asserted a part only.
  void take_back_assertions(std::size_t count);

  // How many functions are being executed.
  int depth() const { return depth_; }

 private:
  void check_variable(const Component& component);
  Value call_with(const FunctionInfo& called, std::vector<Value> arguments,
                  const std::vector<bool>& is_given, bool is_silent, SourceRange range);
  Value call_once(const FunctionInfo& called, std::vector<Value> arguments,
                  const std::vector<bool>& is_given, bool is_silent, SourceRange range);
  Value call_program(const FunctionInfo& called, std::vector<Value> arguments,
                     const std::vector<bool>& is_given, SourceRange range);
  struct ProgramCall;
  ProgramCall& find_program(const FunctionInfo& called, const std::vector<Value>& arguments,
                            const std::vector<bool>& is_given, SourceRange range);
  ProgramCall make_program(const FunctionInfo& called, const std::vector<Value>& arguments,
                           const std::vector<bool>& is_given, const DerivativeNote* derivative,
                           SourceRange range);
  FunctionId find_written(const FunctionInfo& called, SourceRange range);
  std::vector<Value> all_inputs(const FunctionInfo& called, std::vector<Value> arguments,
                                const std::vector<bool>& is_given, SourceRange range);
  FunctionId find_written_derivative(const FunctionInfo& called, SourceRange range);
  Value execute(const FunctionInfo& called, std::vector<Value> arguments,
                const std::vector<bool>& is_given, bool is_silent, SourceRange range);
  void check_assertion(const syntax::CallExpr& call, const Env& env);
  struct Arguments {  // by slot
    std::vector<Value>& values;
    const std::vector<bool>& is_given;
  };
  void fill_inputs(const FunctionInfo& called, Frame& frame, const Env& env, const Arguments& given,
                   SourceRange range);

  Session& session_;
  std::unordered_map<const Instance*, std::unique_ptr<FunctionInfo>> infos_;
  int depth_ = 0;
  std::int64_t num_calls_ = 0;    // since the outermost one began
  bool is_last_attempt_ = false;  // a call that could not be inlined is made otherwise
  ProgramRecorder* recorder_ = nullptr;
  std::unique_ptr<Derivatives> derivatives_;
  std::map<const Instance*, FunctionId> written_;      // of a flat text; invalid: none
  std::set<std::pair<NodeId, std::string>> asserted_;  // what calls have added to the model
  // Programs by function and by what is known of its arguments.
  std::map<std::vector<std::uint64_t>, std::unique_ptr<ProgramCall>> programs_;
};

}  // namespace hydae::modelica
