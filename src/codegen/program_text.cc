// Program::to_string: the tape as a person wants to read it, for `hydae dump`.
#include <fmt/format.h>
#include <iterator>

#include "codegen/recurrences.h"
#include "codegen/stage_tape.h"

namespace hydae::codegen {
namespace {

class Printer {
 public:
  explicit Printer(const StageTape& stages) : stages_(stages), scalars_(stages.fused.scalars) {}

  std::string name(SeriesId v) const {
    const Series& s = stages_.fused.series[v];
    if (s.op == SeriesOp::kTime) return "t";
    if (s.op == SeriesOp::kVariable) {
      return s.order == 0 ? fmt::format("x{}", s.variable)
                          : fmt::format("x{}^({})", s.variable, s.order);
    }
    return fmt::format("s{}", v);
  }

  std::string scalar(ScalarId id) const {
    const ScalarTape::Scalar& s = scalars_.scalar(id);
    if (s.op == Op::kConstant) return fmt::format("{}", s.value);
    if (s.op == Op::kParameter) return fmt::format("p{}", s.index);
    return fmt::format("c{}", id);
  }

  std::string form(const Form& f) const {
    std::string text;
    const auto append = [&](ScalarId factor, const std::string& rest) {
      if (!text.empty()) text += " + ";
      text += factor == ScalarTape::kOne ? rest : scalar(factor) + "*" + rest;
    };
    for (const ProductTerm& t : f.products) append(t.factor, name(t.left) + "*" + name(t.right));
    for (const LinearTerm& t : f.linear) append(t.factor, name(t.series));
    if (f.constant != ScalarTape::kZero || text.empty()) {
      text += (text.empty() ? "" : " + ") + scalar(f.constant);
    }
    return text;
  }

  std::string operation(SeriesId v) const {
    const Series& s = stages_.fused.series[v];
    if (s.op == SeriesOp::kSum) return form(s.form);
    if (s.op == SeriesOp::kCall) {
      std::string text;
      for (SeriesId u : s.arguments) text += (text.empty() ? "" : ", ") + name(u);
      return fmt::format("code{}({})", s.code, text);
    }
    const char* const text = recurrence(s.op).text;
    if (text == nullptr) return "";
    return fmt::format(fmt::runtime(text), fmt::arg("a", name(s.a)),
                       fmt::arg("b", s.b < 0 ? "" : name(s.b)), fmt::arg("next", v + 1),
                       fmt::arg("scalar", scalar(s.scalar)),
                       fmt::arg("function", op_name(s.function)));
  }

 private:
  const StageTape& stages_;
  const ScalarTape& scalars_;
};

}  // namespace

std::string Program::to_string() const {
  const Printer print(*stages_);
  std::string text;
  auto out = std::back_inserter(text);
  const ScalarTape& scalars = stages_->fused.scalars;
  for (ScalarId id = 0; id < scalars.size(); ++id) {
    const ScalarTape::Scalar& s = scalars.scalar(id);
    if (s.op == Op::kConstant || s.op == Op::kParameter) continue;
    fmt::format_to(out, "c{} = {}({}{}{})\n", id, op_name(s.op), print.scalar(s.a),
                   s.b >= 0 ? ", " : "", s.b >= 0 ? print.scalar(s.b) : "");
  }
  const auto instructions = [&](const std::vector<SeriesId>& list) {
    for (SeriesId v : list) {
      fmt::format_to(out, "  s{} = {}   [order k{:+}]\n", v, print.operation(v),
                     stages_->offset[v]);
    }
  };
  for (std::size_t b = 0; b < stages_->blocks.size(); ++b) {
    const BlockPlan& plan = stages_->blocks[b];
    fmt::format_to(out, "block {}: {} unknowns, lead {}{}{}\n", b, plan.rows.size(), plan.lead,
                   plan.is_quasilinear ? "" : ", not quasilinear",
                   plan.is_constant ? ", constant matrix" : "");
    instructions(plan.instructions);
    for (const Row& row : plan.rows) {
      fmt::format_to(out, "  0 = f{} = {}", row.equation, print.form(row.form));
      for (const LinearTerm& t : row.leading) {
        fmt::format_to(out, " + [{}*{}]", print.scalar(t.factor), print.name(t.series));
      }
      fmt::format_to(out, "   [order k{:+}]\n", row.local_c + plan.lead);
    }
    fmt::format_to(out, "  solve for");
    for (std::size_t k = 0; k < plan.variables.size(); ++k) {
      fmt::format_to(out, " {}x{}^({}+k)", k == 0 ? "" : ", ", plan.variables[k],
                     plan.local_d[k] + plan.lead);
    }
    text += '\n';
    for (const ActiveSeries& active : plan.active) {
      if (active.is_corrected) fmt::format_to(out, "  correct s{}\n", active.series);
    }
  }
  if (!stages_->fused.outputs.empty()) fmt::format_to(out, "outputs\n");
  instructions(stages_->output_instructions);
  for (std::size_t i = 0; i < stages_->fused.outputs.size(); ++i) {
    fmt::format_to(out, "  g{} = {}   [order k{:+}]\n", i, print.form(stages_->fused.outputs[i]),
                   stages_->output_offset[i]);
  }
  return text;
}

}  // namespace hydae::codegen
