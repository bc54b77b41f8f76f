#include "codegen/partials.h"

#include "base/check.h"

namespace hydae::codegen {
namespace {

using Rule = Partial::Rule;

// Second results: cos' = -sin u', cosh' = sinh u', and z = 1 +- v^2 of tan and tanh.
std::vector<Edge> partials_of_second(FusedTape& tape, const Series& second) {
  const SeriesId first = second.a;
  const Series& series = tape.series[first];
  const auto number = [&](double value) { return tape.scalars.constant(value); };
  switch (series.op) {
    case SeriesOp::kSinCos: return {{{Rule::kTimes, number(-1), first}, series.a}};
    case SeriesOp::kSinhCosh: return {{{Rule::kTimes, number(1), first}, series.a}};
    case SeriesOp::kTan: return {{{Rule::kTimes, number(2), first}, first}};
    case SeriesOp::kTanh: return {{{Rule::kTimes, number(-2), first}, first}};
    default: break;
  }
  fail_check("a series with two results", __FILE__, __LINE__);
}

// Result number `result` of a call: an output, whose derivatives are results, too, or one of these,
// which nobody reads but as a factor.
std::vector<Edge> partials_of_call(const FusedTape& tape, SeriesId call, int result) {
  const Series& series = tape.series[call];
  const int m = tape.codes[series.code].num_outputs, n = static_cast<int>(series.arguments.size());
  std::vector<Edge> edges;
  for (int j = 0; j < n && result < m; ++j)
    edges.push_back(
        {{Rule::kTimes, ScalarTape::kOne, call + m + result * n + j}, series.arguments[j]});
  return edges;
}

}  // namespace

std::vector<Edge> partials(FusedTape& tape, SeriesId id) {
  const Series& v = tape.series[id];
  const auto number = [&](double value) { return tape.scalars.constant(value); };
  const ScalarId one = ScalarTape::kOne;
  switch (v.op) {
    case SeriesOp::kTime:
    case SeriesOp::kVariable: return {};
    case SeriesOp::kSum: {
      std::vector<Edge> edges;
      visit_partials(v.form, [&](const Edge& edge) { edges.push_back(edge); });
      return edges;
    }
    case SeriesOp::kSinCos:
    case SeriesOp::kSinhCosh:
    case SeriesOp::kTan:
    case SeriesOp::kTanh: return {{{Rule::kTimes, one, id + 1}, v.a}};
    case SeriesOp::kCall: return partials_of_call(tape, id, 0);
    case SeriesOp::kSecond:
      if (tape.series[v.a].op == SeriesOp::kCall) return partials_of_call(tape, v.a, id - v.a);
      return partials_of_second(tape, v);
    case SeriesOp::kExp: return {{{Rule::kTimes, one, id}, v.a}};
    case SeriesOp::kQuotient:
      return {{{Rule::kOver, one, v.b}, v.a}, {{Rule::kRatio, number(-1), id, v.b}, v.b}};
    case SeriesOp::kReciprocal: return {{{Rule::kRatio, number(-1), id, v.a}, v.a}};
    case SeriesOp::kSqrt: return {{{Rule::kOver, number(0.5), id}, v.a}};
    case SeriesOp::kPower: return {{{Rule::kPower, v.scalar, id, v.a}, v.a}};
    case SeriesOp::kIntegral: return {{{Rule::kOver, v.scalar, v.b}, v.a}};
    case SeriesOp::kAtan2:
      return {{{Rule::kRatio, one, v.b, v.c}, v.a}, {{Rule::kRatio, number(-1), v.a, v.c}, v.b}};
  }
  fail_check("a known operation", __FILE__, __LINE__);
}

}  // namespace hydae::codegen
