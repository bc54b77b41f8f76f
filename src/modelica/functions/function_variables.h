// Variables of a function, and of a record seen as its constructor: their types and sizes, and the
// values they are declared with.
#pragma once

#include "modelica/functions/functions.h"

namespace hydae::modelica {

// Nothing has a value in it.
Frame make_frame(const Session& session, const FunctionInfo& called);

class FunctionVariables {
 public:
  explicit FunctionVariables(Session& session) : session_(session) {}

  // `value` as a value of a function's variable: checks type and sizes.
  Value fit(Element& element, Value value, const Env& env, SourceRange range);
  // Gives a variable of a function or record its declared value, unless that has been done.
  void declare(Element& element, Frame& frame, const Env& env);
  // Dimensions as declared.
  int formal_rank(Element& element);
  // A value of the declared type and sizes that says nothing: zeros, false, empty texts.
  Value blank(Element& element, const Env& env);
  Value record_result(const FunctionInfo& record, const Frame& frame);

 private:
  void declare_variable(Element& element, Frame& frame, const Env& env);
  Sizes declared_sizes(Element& element, const Env& env);
  Value default_value(Element& element, const Sizes& sizes, Frame& frame, const Env& env);
  Value default_record(Element& element, Frame& outer, const Env& env);

  Session& session_;
};

}  // namespace hydae::modelica
