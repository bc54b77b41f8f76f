// The analysis as text: what a person asks first stands first.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <hydae/analyze.h>

#include "base/derivative_name.h"

namespace hydae {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kMostListed = 60;  // rows of a table, or names in a list, before it is cut

std::string differentiated_name(std::string_view name, int order) {
  if (order == 0) return std::string(name);
  return order <= 3 ? std::string(name) + std::string(static_cast<std::size_t>(order), '\'')
                    : fmt::format("{}^({})", name, order);
}

// "x, der(x)": the orders of one variable.
std::string names_of_orders(const std::string& name, const std::vector<int>& orders,
                            std::string (*name_of)(std::string_view, int)) {
  Lines names;
  for (int order : orders) names.push_back(name_of(name, order));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string cut_list(Lines names) {
  if (names.size() <= kMostListed) return fmt::format("{}", fmt::join(names, ", "));
  const std::size_t rest = names.size() - kMostListed;
  names.resize(kMostListed);
  return fmt::format("{}, and {} more", fmt::join(names, ", "), rest);
}

// Lines of a report about one analysis, appended to a text.
class ReportLines {
 protected:
  ReportLines(const Analysis& analysis, std::string& out) : a_(analysis), out_(out) {}

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void write_table(const std::vector<Lines>& rows) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const Lines& row : rows)
      for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    for (const Lines& row : rows) {
      std::string text;
      for (std::size_t k = 0; k < row.size(); ++k)
        text += fmt::format("  {:<{}}", row[k], widths[k]);
      line("{}", text.substr(0, text.find_last_not_of(' ') + 1));
    }
  }

  const std::string& equation(int i) const { return a_.equations[static_cast<std::size_t>(i)]; }
  const std::string& variable(int j) const { return a_.variables[static_cast<std::size_t>(j)]; }

  std::string equation_list(const std::vector<int>& list) const {
    Lines names;
    for (int i : list) names.push_back(equation(i));
    return cut_list(std::move(names));
  }
  std::string variable_list(const std::vector<int>& list) const {
    Lines names;
    for (int j : list) names.push_back(variable(j));
    return cut_list(std::move(names));
  }

  const Analysis& a_;

 private:
  std::string& out_;
};

// What is solved for what, stage by stage.
class SchemeReport : ReportLines {
 public:
  SchemeReport(const Analysis& analysis, std::string& out) : ReportLines(analysis, out) {}

  void write(SchemeDetail detail) {
    line(
        "\nsolution scheme (stage k solves the equations for the unknowns; ~ marks nonlinear: give "
        "trial values)");
    for (const Stage& stage : a_.stages) {
      if (detail == SchemeDetail::kCompact)
        write_stage(stage);
      else
        write_full_stage(stage);
    }
  }

 private:
  Lines stage_equations(const StageBlock& block) const {
    Lines names;
    for (auto [i, order] : block.equations)
      names.push_back(differentiated_name(equation(i), order));
    return names;
  }
  Lines stage_unknowns(const StageBlock& block) const {
    Lines names;
    for (auto [j, order] : block.unknowns) names.push_back(derivative_name(variable(j), order));
    return names;
  }

  void write_stage(const Stage& stage) {
    Lines blocks;
    for (const StageBlock& block : stage.blocks)
      blocks.push_back(fmt::format("{}[{}] : {}", block.is_linear ? "" : "~",
                                   cut_list(stage_equations(block)),
                                   cut_list(stage_unknowns(block))));
    if (blocks.size() > kMostListed) {
      const std::size_t rest = blocks.size() - kMostListed;
      blocks.resize(kMostListed);
      blocks.push_back(fmt::format("and {} more blocks", rest));
    }
    line("  k = {:>3}:  {}", stage.k, fmt::join(blocks, "   "));
  }

  void write_full_stage(const Stage& stage) {
    line("  stage k = {}", stage.k);
    for (const StageBlock& block : stage.blocks) {
      line("    block {}: {}", block.block + 1, stage_verb(block));
      if (!block.equations.empty()) line("      equations {}", cut_list(stage_equations(block)));
      line("      unknowns  {}", cut_list(stage_unknowns(block)));
    }
  }

  static std::string stage_verb(const StageBlock& block) {
    const std::size_t m = block.equations.size(), n = block.unknowns.size();
    if (m == 0)
      return n == 1 ? "nothing to solve: a free initial value"
                    : "nothing to solve: free initial values";
    const std::string size =
        m == 1 && n == 1 ? "one equation" : fmt::format("{} x {} system", m, n);
    const std::string freedom = m < n ? fmt::format(", {} free", n - m) : "";
    return fmt::format("solve a {} {}{}", block.is_linear ? "linear" : "nonlinear", size, freedom) +
           (block.is_linear ? "" : " (give trial values)");
  }
};

class TextReport : ReportLines {
 public:
  TextReport(const Analysis& analysis, std::string& out)
      : ReportLines(analysis, out), scheme_(analysis, out) {}

  void write(SchemeDetail scheme) {
    write_heading();
    write_mode();
    if (!a_.well_posed) {
      write_diagnosis();
    } else {
      write_summary();
      write_repairs();
      write_jacobian();
      write_offsets();
      write_system_jacobian();
      write_blocks();
      write_initial_values();
      write_constraints();
      if (scheme != SchemeDetail::kNone) scheme_.write(scheme);
    }
  }

 private:
  void write_heading() {
    line("{}: {} equations, {} variables", a_.model, a_.equations.size(), a_.variables.size());
    if (!a_.inputs.empty()) line("  inputs: {}", cut_list(a_.inputs));
    if (!a_.outputs.empty()) line("  outputs: {}", cut_list(a_.outputs));
  }

  void write_mode() {
    for (const auto& [relation, truth] : a_.mode) line("  mode: {} is {}", relation, truth);
    if (!a_.mode.empty() && !a_.is_at_point) line("  (as the start values have it)");
  }

  void write_summary() {
    line("  index {}, {} degree{} of freedom, {} initial value{} to give", a_.index,
         a_.degrees_of_freedom, a_.degrees_of_freedom == 1 ? "" : "s", num_initial_values(),
         num_initial_values() == 1 ? "" : "s");
  }

  std::size_t num_initial_values() const {
    std::size_t count = 0;
    for (const InitialValue& value : a_.initial_values) count += value.orders.size();
    return count;
  }

  void write_repairs() {
    for (const Repair& repair : a_.repairs) line("  repaired: {}", repair.description);
  }

  void write_jacobian() {
    switch (a_.jacobian.status) {
      case JacobianCheck::Status::kRegular:
        line("  system Jacobian: regular, condition number {:.2g}", a_.jacobian.condition);
        break;
      case JacobianCheck::Status::kNotEvaluated: line("  system Jacobian: not evaluated"); break;
      case JacobianCheck::Status::kSingular:
        line(
            "  system Jacobian: SINGULAR at all points tried: the structure misleads, index and "
            "degrees of freedom above are not to be trusted");
        for (int block : a_.jacobian.singular_blocks)
          line("    in block {}: equations {}, variables {}", block + 1,
               equation_list(a_.blocks[static_cast<std::size_t>(block)].equations),
               variable_list(a_.blocks[static_cast<std::size_t>(block)].variables));
    }
  }

  void write_offsets() {
    line("\noffsets (times differentiated c, highest derivative d)");
    const bool has_second = !a_.second_transversal.empty();
    std::vector<Lines> rows = {
        {"equation", "c", "matched with", has_second ? "or with" : "", "variable", "d"}};
    for (std::size_t i = 0; i < std::min(a_.equations.size(), kMostListed); ++i) {
      rows.push_back({a_.equations[i], std::to_string(a_.c[i]), variable(a_.transversal[i]),
                      has_second ? variable(a_.second_transversal[i]) : "", a_.variables[i],
                      std::to_string(a_.d[i])});
    }
    write_table(rows);
    if (a_.equations.size() > kMostListed)
      line("  ... {} more rows (--format json has all)", a_.equations.size() - kMostListed);
  }

  void write_system_jacobian() {
    if (a_.system_jacobian.empty()) return;
    line("\nsystem Jacobian at {}", a_.is_at_point ? "the consistent start" : "the start values");
    for (const MovedStart& start : a_.moved) line("  {}", to_text(start));
    std::vector<Lines> rows = {{"equation", "by", "is", "value"}};
    for (const SystemJacobianEntry& entry : a_.system_jacobian) {
      if (rows.size() > kMostListed) break;
      rows.push_back({equation(entry.equation),
                      derivative_name(variable(entry.variable), entry.order), entry.text,
                      fmt::format("{:.10g}", entry.value)});
    }
    write_table(rows);
    if (a_.system_jacobian.size() > kMostListed)
      line("  ... {} more entries (--format json has all)",
           a_.system_jacobian.size() - kMostListed);
  }

  void write_blocks() {
    line("\nblocks in the order of solution ({} coarse, {} fine)", num_coarse_blocks(),
         a_.blocks.size());
    for (std::size_t b = 0; b < std::min(a_.blocks.size(), kMostListed); ++b) {
      const AnalyzedBlock& block = a_.blocks[b];
      line("  {:>3}  [{}] for [{}]  local c = {}, d = {}{}", b + 1, equation_list(block.equations),
           variable_list(block.variables), fmt::join(block.c, " "), fmt::join(block.d, " "),
           block.quasilinear ? "" : "  nonlinear in the highest derivatives");
    }
    if (a_.blocks.size() > kMostListed) line("  ... {} more", a_.blocks.size() - kMostListed);
  }

  int num_coarse_blocks() const {
    int count = 0;
    for (const AnalyzedBlock& block : a_.blocks) count = std::max(count, block.coarse_block + 1);
    return count;
  }

  void write_initial_values() {
    Lines names;
    for (const InitialValue& value : a_.initial_values)
      names.push_back(names_of_orders(variable(value.variable), value.orders, derivative_name));
    line("\ninitial values to give, of which {} are free: {}", a_.degrees_of_freedom,
         names.empty() ? "none" : cut_list(std::move(names)));
  }

  void write_constraints() {
    Lines names;
    for (const ConstraintOrders& constraint : a_.constraints)
      names.push_back(
          names_of_orders(equation(constraint.equation), constraint.orders, differentiated_name));
    line("they must satisfy: {}", names.empty() ? "no constraint" : cut_list(std::move(names)));
  }

  void write_diagnosis() {
    line("  ill-posed: no unknown can be assigned to every equation");
    write_part("too few equations", a_.diagnosis.under);
    write_part("too many equations", a_.diagnosis.over);
    write_part("well determined", a_.diagnosis.well);
  }

  void write_part(const char* title, const Part& part) {
    if (part.equations.empty() && part.variables.empty()) return;
    line("  {}: {} equation{} in {} unknown{}", title, part.equations.size(),
         part.equations.size() == 1 ? "" : "s", part.variables.size(),
         part.variables.size() == 1 ? "" : "s");
    if (!part.equations.empty()) line("    equations: {}", equation_list(part.equations));
    if (!part.variables.empty()) line("    unknowns:  {}", variable_list(part.variables));
  }

  SchemeReport scheme_;
};

}  // namespace

std::string to_text(const Analysis& analysis, SchemeDetail scheme) {
  std::string text;
  TextReport(analysis, text).write(scheme);
  return text;
}

}  // namespace hydae
