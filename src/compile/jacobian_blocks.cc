// The matrix of BDF in the four blocks of Najafi and Nikoukhah 2006, (5).
#include <cmath>
#include <fmt/format.h>
#include <set>

#include <hydae/dump.h>
#include <hydae/error.h>

#include "compile/given_point.h"
#include "compile/ill_posed_report.h"
#include "compile/reduced_program.h"
#include "compile/start_relations.h"
#include "compile/state_selector.h"
#include "expr/incidence.h"
#include "expr/walk.h"

namespace hydae {
namespace {

class JacobianBlocks {
 public:
  JacobianBlocks(const AnalyzedSystem& prepared, const GivenPoint& point)
      : prepared_(prepared), point_(point), program_(prepared, reduced(), {}) {
    find_code();
    linearize();
  }

  std::string write(double alpha) {
    std::vector<double> values(program_.matrix().row().size());
    program_.matrix().write(alpha, values.data());
    std::string text = fmt::format("dF/dx + alpha dF/dx' with alpha = {}\n", alpha);
    for (bool is_code_row : {true, false})
      for (bool is_code_column : {true, false}) text += block(is_code_row, is_code_column, values);
    return text;
  }

 private:
  // Unknowns that an equation gives explicitly are eliminated, as the paper eliminates the outputs
  // of blocks; all others stay in the matrix.
  Reduced reduced() const {
    const structure::StateSelection selection =
        StateSelector(prepared_).select({.time = point_.time(),
                                         .parameters = point_.parameters(),
                                         .value = [&](Leaf leaf) { return point_.value(leaf); },
                                         .pre = [&](Leaf leaf) { return point_.pre(leaf); }});
    return reduce(prepared_, selection,
                  {.assign = true,
                   .solve_linear = false,
                   .allow_ode = false,
                   .parameters = point_.parameters()});
  }

  // Equations that call code, and variables that it reads directly.
  void find_code() {
    const System& system = prepared_.system;
    Walk walk;
    for (EqId eq : ids<EqId>(system.residuals.size())) {
      if (!contents(system.graph(), system.residuals[eq]).has_calls) continue;
      code_equations_.insert(eq);
      for (NodeId id : walk.order(system.graph(), system.residuals[eq])) {
        if (system.graph().op(id) != Op::kCall) continue;
        for (NodeId argument : system.graph().operands(id))
          for (const Leaf& leaf : leaves(system.graph(), std::span(&argument, 1)))
            code_variables_.insert(leaf.variable);
      }
    }
  }

  void linearize() {
    std::vector<double> held;
    for (const HeldLeaf& leaf : program_.held())
      held.push_back(leaf.is_pre ? point_.pre(leaf.leaf) : point_.value(leaf.leaf));
    program_.set_fixed(point_.parameters(), held);
    std::vector<double> y, yp;
    for (const Unknown& unknown : program_.reduced().unknowns) {
      y.push_back(point_.value(unknown.leaf));
      yp.push_back(point_.value({unknown.leaf.variable, unknown.leaf.order + 1}));
    }
    if (!program_.linearize(point_.time(), y.data(), yp.data()))
      throw UsageError("the matrix is undefined at this point: " + program_.undefined());
  }

  struct Row {
    std::string name;
    bool is_code = false;
  };
  Row row(int k) const {
    const Reduced& r = program_.reduced();
    for (std::size_t i = 0; i < r.equations.size(); ++i) {
      if (row_of_equation(program_.reduced(), i) != static_cast<std::uint32_t>(k)) continue;
      const EqId eq = r.equations[i].equation;
      std::string name = prepared_.system.equation_names[eq];
      if (r.equations[i].order > 0) name += fmt::format(", derivative {}", r.equations[i].order);
      return {std::move(name), code_equations_.contains(eq)};
    }
    return {"derivatives of one variable", false};
  }

  std::string block(bool is_code_row, bool is_code_column,
                    const std::vector<double>& values) const {
    std::string text = fmt::format("J{}{}: {} by what {}\n", is_code_row ? 1 : 2,
                                   is_code_column ? 1 : 2, is_code_row ? "code" : "formulas",
                                   is_code_column ? "code reads" : "it does not read");
    for (std::size_t j = 0; j < program_.reduced().unknowns.size(); ++j) {
      const VarId variable = program_.reduced().unknowns[j].leaf.variable;
      if (code_variables_.contains(variable) != is_code_column) continue;
      for (int k = program_.matrix().column_start()[j]; k < program_.matrix().column_start()[j + 1];
           ++k) {
        const Row entry = row(program_.matrix().row()[static_cast<std::size_t>(k)]);
        if (entry.is_code == is_code_row)
          text += fmt::format("  {} by {}: {:.10g}\n", entry.name, program_.unknown_name(j),
                              values[static_cast<std::size_t>(k)]);
      }
    }
    return text;
  }

  const AnalyzedSystem& prepared_;
  const GivenPoint& point_;
  ReducedProgram program_;
  std::set<EqId> code_equations_;
  std::set<VarId> code_variables_;
};

}  // namespace

std::string jacobian_blocks_text(const Model& given, double alpha, const AnalyzeOptions& options) {
  if (!std::isfinite(alpha)) throw UsageError(fmt::format("alpha is {}, not a number", alpha));
  const Model model = given.extended();  // what is added is not the model's
  const AnalyzedSystem prepared = analyze_system(model, mode_of(model, options));
  require_well_posed(prepared);
  const GivenPoint point(model, options.point);
  return JacobianBlocks(prepared, point).write(alpha);
}

}  // namespace hydae
