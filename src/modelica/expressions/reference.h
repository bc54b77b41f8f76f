// References: names with subscripts, read as values.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

struct Subscript {
  Choice choice;
  NodeId index;      // valid if it is known only during the simulation
  NodeId is_inside;  // in a program, where nothing else watches it: it names an element
};

class References {
 public:
  explicit References(Session& session) : session_(session) {}

  Value reference(const syntax::ReferenceExpr& expr, const Env& env);
  // What stands for a whole component.
  Value component_value(Component& component);
  // The enumeration or Boolean type that a subscript names as an index type; null if it does not.
  const Instance* index_type(const syntax::Expr& expr, Instance& scope);
  // Applies subscripts and fields to a value.
  Value select_parts(const Value& root, std::span<const syntax::ReferencePart> parts,
                     const Env& env);
  // The subscripts of one dimension each; `sizes` are those of the array.
  bool take_slice(const syntax::Expr& expr, const Env& env, int size, Slice& slice);
  std::vector<Subscript> subscripts(const syntax::List<const syntax::Expr*>& exprs,
                                    const Sizes& sizes, const Env& env,
                                    const CheckedList<Dimension>* dimensions, SourceRange range);
  Value subscript(const Value& value, const std::vector<Subscript>& subscripts);
  // `value`, undefined where a subscript of a program names nothing.
  Value defined_where(const Subscript& subscript, Value value);
  // Size of dimension `d` (from 0) of part `p` of a reference.
  int dimension_size(const syntax::ReferenceExpr& expr, std::size_t p, std::size_t d,
                     const Env& env);

  // The value of a variable of a function being executed, or of an algorithm; null if it is none.
  const Value* find_in_frames(Element& element, const Env& env, SourceRange range);

 private:
  Value read_class_member(Element& cls, const syntax::ReferenceExpr& expr, std::size_t next,
                          const Env& env);
  Value read_component(Component& component, const syntax::ReferenceExpr& expr, std::size_t part,
                       const Env& env);
  void check_seen_through(const Component& named, const syntax::ReferenceExpr& expr,
                          std::size_t part);
  Value read_subscripted(Component& component, const syntax::ReferenceExpr& expr, std::size_t part,
                         std::vector<Subscript> subscripts, const Env& env);
  Value read_member(Instance& instance, const syntax::ReferenceExpr& expr, std::size_t part,
                    const Env& env);
  const Value* stored_value(Component& component, const Env& env);
  Value record_value(Component& component, const Env& env);
  Value record_value(Instance& instance, const Env& env);
  void check_reachable(const Found& found, Component& component, SourceRange range, const Env& env);

  Session& session_;
};

}  // namespace hydae::modelica
