#include "structure/textbook.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <vector>

#include "base/derivative_name.h"
#include "structure/matching.h"

namespace hydae::structure {
namespace {

constexpr int kNil = -1;

// G = (F, V, E) with vmap and eqmap: a vertex to the vertex of its derivative.
class TextbookGraph {
 public:
  struct Equation {
    std::string name;
    EqId base;
    std::vector<int> variables;  // edges, in the order of the text
    int derivative = kNil;       // eqmap
  };
  struct Variable {
    std::string name;
    VarId base;
    int order = 0;
    int derivative = kNil;  // vmap
    int equation = kNil;    // assign
  };
  std::vector<Equation> F;
  std::vector<Variable> V;

  // With `all_orders` a vertex for each derivative that occurs, otherwise for the highest only.
  TextbookGraph(const SignatureMatrix& sigma, const TextbookNames& names, bool all_orders)
      : names_(names) {
    IdVector<VarId, int> highest(sigma.num_vars(), 0);
    for (VarId var : ids<VarId>(sigma.num_vars()))
      for (const auto& entry : sigma.column(var))
        highest[var] = std::max(highest[var], entry.order);
    const int last = highest.empty() ? 0 : *std::max_element(highest.begin(), highest.end());
    for (int order = 0; order <= last; ++order)
      for (VarId var : ids<VarId>(sigma.num_vars()))
        if (order == highest[var] || (all_orders && order < highest[var])) add_variable(var, order);
    for (EqId eq : ids<EqId>(sigma.num_eqs())) {
      F.push_back({names.equations[eq], eq, {}, kNil});
      for (const auto& [var, order] : sigma.row(eq))
        if (const int vertex = find(var, order); vertex != kNil)
          F.back().variables.push_back(vertex);
    }
  }

  int find(VarId var, int order) const {
    const auto at = std::find_if(
        V.begin(), V.end(), [&](const Variable& v) { return v.base == var && v.order == order; });
    return at == V.end() ? kNil : static_cast<int>(at - V.begin());
  }

  void differentiate_variable(int vertex) {
    const VarId base = V[at(vertex)].base;
    if (V[at(vertex)].derivative == kNil) add_variable(base, V[at(vertex)].order + 1);
  }

  int differentiate_equation(int vertex) {
    const int made = static_cast<int>(F.size());
    Equation derivative{new_name(), F[at(vertex)].base, {}, kNil};
    for (int v : F[at(vertex)].variables) {
      differentiate_variable(v);
      derivative.variables.push_back(V[at(v)].derivative);
    }
    F.push_back(std::move(derivative));
    F[at(vertex)].derivative = made;
    return made;
  }

  static std::size_t at(int vertex) { return static_cast<std::size_t>(vertex); }

 private:
  void add_variable(VarId var, int order) {
    const int vertex = static_cast<int>(V.size());
    V.push_back({derivative_name(names_.variables[var], order), var, order, kNil, kNil});
    if (const int lower = order > 0 ? find(var, order - 1) : kNil; lower != kNil)
      V[at(lower)].derivative = vertex;
  }

  // f6 after f5.
  std::string new_name() const {
    std::string name = fmt::format("f{}", F.size() + 1);
    const auto is_taken = [&] {
      return std::any_of(F.begin(), F.end(), [&](const Equation& f) { return f.name == name; });
    };
    while (is_taken()) name += "'";
    return name;
  }

  const TextbookNames& names_;
};

using Names = std::vector<std::string>;

std::string set_text(const Names& names) { return fmt::format("{{{}}}", fmt::join(names, ", ")); }

// The state that the sheets show, and MATCH-EQUATION, which all algorithms share.
class Textbook {
 public:
  Textbook(const SignatureMatrix& sigma, const TextbookNames& names, bool all_orders)
      : g_(sigma, names, all_orders) {}

  void write_graph() {
    Names f, v, e;
    for (const auto& equation : g_.F) {
      f.push_back(equation.name);
      for (int vertex : equation.variables)
        e.push_back(fmt::format("({}, {})", equation.name, variable(vertex).name));
    }
    for (const auto& vertex : g_.V) v.push_back(vertex.name);
    line("F = {}", set_text(f));
    line("V = {}", set_text(v));
    line("E = {}", set_text(e));
  }

  // Depth first along alternating paths; C collects what was met.
  bool match_equation(int f) {
    C_.push_back(equation(f).name);
    coloured_equations_.push_back(f);
    for (int v : equation(f).variables) {
      if (variable(v).equation != kNil || variable(v).derivative != kNil) continue;
      variable(v).equation = f;
      return true;
    }
    for (int v : std::vector<int>(equation(f).variables)) {
      if (is_coloured(v) || variable(v).derivative != kNil) continue;
      C_.push_back(variable(v).name);
      coloured_variables_.push_back(v);
      if (!match_equation(variable(v).equation)) continue;
      variable(v).equation = f;
      return true;
    }
    return false;
  }

  void clear_colours() {
    C_.clear();
    coloured_equations_.clear();
    coloured_variables_.clear();
  }

  bool is_coloured(int v) const {
    return std::find(coloured_variables_.begin(), coloured_variables_.end(), v) !=
           coloured_variables_.end();
  }

  void write_attempt(int f, bool is_matched) {
    line("MATCH-EQUATION({}): C = {}, {}", equation(f).name, set_text(C_),
         is_matched ? "matched" : "no match");
    write_assign();
  }

  void write_assign() {
    Names pairs;
    for (const auto& v : g_.V)
      if (v.equation != kNil)
        pairs.push_back(fmt::format("{} -> {}", v.name, equation(v.equation).name));
    line("  assign = {}", set_text(pairs));
  }

  void write_maps() {
    Names variables, equations;
    for (const auto& v : g_.V)
      if (v.derivative != kNil)
        variables.push_back(fmt::format("{} -> {}", v.name, variable(v.derivative).name));
    for (const auto& f : g_.F)
      if (f.derivative != kNil)
        equations.push_back(fmt::format("{} -> {}", f.name, equation(f.derivative).name));
    line("  vmap = {}", set_text(variables));
    line("  eqmap = {}", set_text(equations));
  }

  bool match_all() {
    for (int f = 0; f < static_cast<int>(g_.F.size()); ++f) {
      clear_colours();
      const bool is_matched = match_equation(f);
      write_attempt(f, is_matched);
      if (is_matched) continue;
      line("singular: {} has no variable of its own", equation(f).name);
      return false;
    }
    return true;
  }

  // Steps 8 to 19: what was coloured gets derivatives, and their assignments.
  void differentiate_coloured() {
    const std::vector<int> equations = coloured_equations_, variables = coloured_variables_;
    for (int v : variables) g_.differentiate_variable(v);
    for (int f : equations) {
      const int made = g_.differentiate_equation(f);
      line("differentiate {}: {}", equation(f).name, equation(made).name);
    }
    for (int v : variables)
      variable(variable(v).derivative).equation = equation(variable(v).equation).derivative;
    write_maps();
    write_assign();
  }

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  TextbookGraph& graph() { return g_; }
  TextbookGraph::Equation& equation(int f) { return g_.F[TextbookGraph::at(f)]; }
  TextbookGraph::Variable& variable(int v) { return g_.V[TextbookGraph::at(v)]; }
  std::string take_text() { return std::move(text_); }

 private:
  TextbookGraph g_;
  Names C_;
  std::vector<int> coloured_equations_, coloured_variables_;
  std::string text_;
};

// D: an edge from the equation that determines a variable to each other one that reads it.
class TextbookTarjan {
 public:
  explicit TextbookTarjan(Textbook& book) : book_(book), successors_(size()) {
    Names edges;
    for (int f = 0; f < static_cast<int>(size()); ++f)
      for (int v : book_.equation(f).variables) {
        const int owner = book_.variable(v).equation;
        if (owner == f) continue;
        successors_[TextbookGraph::at(owner)].push_back(f);
        edges.push_back(
            fmt::format("({}, {})", book_.equation(owner).name, book_.equation(f).name));
      }
    book_.line("D.E = {}", set_text(edges));
    number_.assign(size(), 0);
    lowlink_.assign(size(), 0);
  }

  void run() {
    for (int f = 0; f < static_cast<int>(size()); ++f)
      if (number_[TextbookGraph::at(f)] == 0) connect(f);
    book_.line("blocks, in the order of solution:");
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
      book_.line("  {}", set_text(*block));
  }

 private:
  std::size_t size() const { return book_.graph().F.size(); }
  int& number(int f) { return number_[TextbookGraph::at(f)]; }
  int& lowlink(int f) { return lowlink_[TextbookGraph::at(f)]; }

  // STRONGCONNECT.
  void connect(int v) {
    number(v) = lowlink(v) = ++counter_;
    stack_.push_back(v);
    book_.line("STRONGCONNECT({}): number {}", book_.equation(v).name, number(v));
    for (int w : successors_[TextbookGraph::at(v)]) {
      if (number(w) == 0) {
        connect(w);
        lowlink(v) = std::min(lowlink(v), lowlink(w));
      } else if (number(w) < number(v) &&
                 std::find(stack_.begin(), stack_.end(), w) != stack_.end()) {
        lowlink(v) = std::min(lowlink(v), number(w));
      }
    }
    book_.line("  {}: lowlink {}, number {}", book_.equation(v).name, lowlink(v), number(v));
    if (lowlink(v) == number(v)) pop_block(v);
  }

  void pop_block(int v) {
    Names block;
    while (!stack_.empty() && number(stack_.back()) >= number(v)) {
      block.push_back(book_.equation(stack_.back()).name);
      stack_.pop_back();
    }
    std::reverse(block.begin(), block.end());
    book_.line("  block {}", set_text(block));
    blocks_.push_back(std::move(block));
  }

  Textbook& book_;
  std::vector<std::vector<int>> successors_;
  std::vector<int> number_, lowlink_, stack_;
  int counter_ = 0;
  std::vector<Names> blocks_;
};

}  // namespace

std::string trace_matching(const SignatureMatrix& sigma, const TextbookNames& names) {
  Textbook book(sigma, names, /*all_orders=*/false);
  book.write_graph();
  book.match_all();
  return book.take_text();
}

std::string trace_sorting(const SignatureMatrix& sigma, const TextbookNames& names) {
  Textbook book(sigma, names, /*all_orders=*/false);
  book.write_graph();
  if (book.match_all()) TextbookTarjan(book).run();
  return book.take_text();
}

PantelidesTrace trace_pantelides(const SignatureMatrix& sigma, const TextbookNames& names) {
  Textbook book(sigma, names, /*all_orders=*/true);
  book.write_graph();
  PantelidesTrace result;
  if (!compute_maximum_matching(sigma).is_perfect()) {
    book.line("singular: the algorithm would not end");
    result.text = book.take_text();
    return result;
  }
  for (int e = 0; e < static_cast<int>(sigma.num_eqs()); ++e) {
    int f = e;
    while (true) {
      book.clear_colours();
      const bool is_matched = book.match_equation(f);
      book.write_attempt(f, is_matched);
      if (is_matched) break;
      book.differentiate_coloured();
      f = book.equation(f).derivative;
    }
  }
  result.num_differentiations.assign(sigma.num_eqs(), -1);
  for (const auto& equation : book.graph().F) ++result.num_differentiations[equation.base];
  result.text = book.take_text();
  return result;
}

}  // namespace hydae::structure
