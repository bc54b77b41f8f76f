// Functions of the standard library that read tables.
#include "modelica/external/native_calls.h"
#include "modelica/external/table_blocks.h"

namespace hydae::modelica::native {

std::vector<Value> table_1d_value(const Call& call) {
  const Table1D table(call.session, call.object(0), call.range);
  return {table.value(static_cast<int>(call.integer(1)), call.number(2))};
}

std::vector<Value> table_1d_minimum(const Call& call) {
  return {
      call.session.evaluator->real(Table1D(call.session, call.object(0), call.range).minimum())};
}

std::vector<Value> table_1d_maximum(const Call& call) {
  return {
      call.session.evaluator->real(Table1D(call.session, call.object(0), call.range).maximum())};
}

std::vector<Value> table_2d_value(const Call& call) {
  const Table2D table(call.session, call.object(0), call.range);
  return {table.value(call.number(1), call.number(2))};
}

std::vector<Value> table_2d_minimum(const Call& call) {
  return {Table2D(call.session, call.object(0), call.range).minimum()};
}

std::vector<Value> table_2d_maximum(const Call& call) {
  return {Table2D(call.session, call.object(0), call.range).maximum()};
}

std::vector<Value> time_table_value(const Call& call) {
  const TimeTable table(call.session, call.object(0), call.range);
  return {table.value(static_cast<int>(call.integer(1)), call.number(2))};
}

std::vector<Value> time_table_minimum(const Call& call) {
  const TimeTable table(call.session, call.object(0), call.range);
  return {call.session.evaluator->real(table.minimum())};
}

std::vector<Value> time_table_maximum(const Call& call) {
  const TimeTable table(call.session, call.object(0), call.range);
  return {call.session.evaluator->real(table.maximum())};
}

std::vector<Value> time_table_next_event(const Call& call) {
  const TimeTable table(call.session, call.object(0), call.range);
  return {table.next_event(call.number(1))};
}

}  // namespace hydae::modelica::native
