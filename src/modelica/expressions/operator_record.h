// Operators of operator records (Modelica 3.6, chapter 14): which function an operator or a
// constructor call means, found by the types of the operands, and the elementwise operations on
// arrays that follow from those on scalars.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelica/expressions/evaluate.h"
#include "modelica/functions/functions.h"

namespace hydae::modelica {

class OperatorRecords {
 public:
  OperatorRecords(Session& session, bool is_silent, SourceRange range)
      : session_(session), is_silent_(is_silent), range_(range) {}

  Value unary(syntax::UnaryOp op, const Value& a);
  Value binary(syntax::BinaryOp op, const Value& a, const Value& b);
  // A call of the class as a function; nothing if it defines no constructor of its own.
  std::optional<Value> construct(Element& record, std::vector<Given>& given);
  // The result of `operator 'String'`; nothing if there is none.
  std::optional<Value> to_string(const Value& a);
  Value sum(const Value& array);

  // The class that short class definitions lead to: what makes two record types one.
  static const ClassDef* root_class(Session& session, Element* record);

 private:
  // Functions of the operator called `name` (without quotes), of all operands, each once.
  std::vector<Element*> functions_of(const std::string& name, const std::vector<Value>& operands);
  void add_functions(const std::string& name, Element* record, std::vector<Element*>& out);
  void check_constructor(Element& constructor);
  bool fits(Element& input, const Value& argument);
  bool fits(Element& function, const std::vector<Given>& given);
  std::optional<Value> call_matching(const std::vector<Element*>& functions,
                                     std::vector<Value> operands);
  std::optional<Value> convert(const Value& number, Element* record);
  std::optional<Value> scalar_binary(const std::string& name, const Value& a, const Value& b);
  Value elementwise(syntax::BinaryOp op, const Value& a, const Value& b);
  Value matrix_product(const Value& a, const Value& b);
  Value zero(const Value& model);
  [[noreturn]] void fail(const std::string& name, const std::vector<Value>& operands);

  Session& session_;
  bool is_silent_;
  SourceRange range_;
};

}  // namespace hydae::modelica
