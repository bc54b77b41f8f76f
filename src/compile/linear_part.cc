#include "compile/linear_part.h"

#include <algorithm>
#include <optional>

#include "expr/incidence.h"
#include "expr/walk.h"
#include "structure/blt.h"

namespace hydae {
namespace {

constexpr std::size_t kMostVarying = 64;  // unknowns of a block that is factorised all the time

// What an expression is in the unknowns chosen, from simple to difficult.
enum class Form : std::uint8_t {
  kFixed,        // a number until the next event
  kFree,         // without the unknowns
  kLinearFixed,  // linear with fixed coefficients
  kLinear,       // linear
  kNonlinear,
};
using enum Form;

bool is_free(Form form) { return form <= kFree; }

Form product(Form a, Form b) {
  if (is_free(a)) std::swap(a, b);
  if (is_free(a)) return std::max(a, b);
  if (!is_free(b)) return kNonlinear;
  return b == kFixed ? a : std::max(a, kLinear);
}

class Forms {
 public:
  explicit Forms(const LinearQuestion& question) : question_(question), graph_(*question.graph) {}

  template <class IsChosen>
  Form of(NodeId root, IsChosen is_chosen) {
    found_.clear();
    for (NodeId id : walk_.order(graph_, root, Walk::Scope::kInstant)) {
      operands_.clear();
      for (NodeId operand : graph_.instant_operands(id))
        operands_.push_back(found_[walk_.position(operand)]);
      found_.push_back(operands_.empty() ? leaf(id, is_chosen) : combine(graph_.op(id)));
    }
    return found_.back();
  }

 private:
  template <class IsChosen>
  Form leaf(NodeId id, IsChosen is_chosen) const {
    switch (graph_.op(id)) {
      case Op::kConstant:
      case Op::kParameter:
      case Op::kPre: return kFixed;
      case Op::kVariable: break;
      default: return kFree;
    }
    const Leaf leaf = graph_.leaf_of(id);
    if (question_.is_held(leaf)) return kFixed;
    const auto number = question_.unknown_number(leaf);
    return number && is_chosen(*number) ? kLinearFixed : kFree;
  }

  Form combine(Op op) const {
    const Form most = *std::max_element(operands_.begin(), operands_.end());
    if (is_free(most)) return most;
    switch (op) {
      case Op::kNeg:
      case Op::kAdd:
      case Op::kSub:
      case Op::kHomotopy: return most;
      case Op::kMul: return product(operands_[0], operands_[1]);
      case Op::kDiv:
        return is_free(operands_[1]) ? product(operands_[0], operands_[1]) : kNonlinear;
      case Op::kSmooth: return is_free(operands_[0]) ? operands_[1] : kNonlinear;
      case Op::kSelect:
        if (!is_free(operands_[0])) return kNonlinear;
        return operands_[0] == kFixed ? most : std::max(most, kLinear);
      default: return kNonlinear;
    }
  }

  const LinearQuestion& question_;
  const Graph& graph_;
  Walk walk_;
  std::vector<Form> found_, operands_;
};

class Search {
 public:
  explicit Search(const LinearQuestion& question) : question_(question), forms_(question) {}

  LinearPart run() {
    const std::size_t n = question_.rows.size();
    part_.has_row.assign(n, false);
    part_.has_unknown.assign(n, false);
    if (n == 0) return part_;
    const Form whole = question_.may_be_all ? form_of_all() : kNonlinear;
    if (whole == kNonlinear && !has_algebraic()) return part_;
    part_.is_all = whole <= kLinearFixed;
    if (part_.is_all) return part_;
    const auto blocks = structure::find_block_triangular_form(pattern());
    if (!blocks) return part_;
    part_.is_all = whole == kLinear && blocks->largest() <= kMostVarying;
    if (!part_.is_all)
      for (BlockId block : ids<BlockId>(blocks->size()))
        take_if_linear(blocks->eqs(block), blocks->vars(block));
    return part_;
  }

 private:
  bool has_algebraic() const {
    return !std::all_of(question_.is_derivative.begin(), question_.is_derivative.end(),
                        [](bool is) { return is; });
  }

  Form form_of_all() {
    Form most = kFixed;
    for (NodeId row : question_.rows)
      most = std::max(most, forms_.of(row, [](std::uint32_t) { return true; }));
    return most;
  }

  structure::SignatureMatrix pattern() const {
    Incidence incidence;
    std::vector<structure::SignatureEntry> entries;
    for (std::size_t i = 0; i < question_.rows.size(); ++i)
      for (const Leaf& leaf : incidence.leaves(*question_.graph, question_.rows[i]))
        if (const auto number = question_.unknown_number(leaf))
          entries.push_back({EqId(i), VarId(*number), 0});
    return {question_.rows.size(), question_.rows.size(), entries};
  }

  // Unknowns of blocks taken before are solved for together with these.
  void take_if_linear(std::span<const EqId> eqs, std::span<const VarId> vars) {
    for (VarId var : vars)
      if (question_.is_derivative[var.index()]) return;
    set(part_.has_unknown, vars, true);
    Form most = kFixed;
    for (EqId eq : eqs)
      most = std::max(most, forms_.of(question_.rows[eq.index()], [this](std::uint32_t number) {
        return part_.has_unknown[number];
      }));
    const bool is_taken = most <= kLinearFixed || (most == kLinear && eqs.size() <= kMostVarying);
    set(part_.has_unknown, vars, is_taken);
    set(part_.has_row, eqs, is_taken);
  }

  template <class Id>
  static void set(std::vector<bool>& flags, std::span<const Id> which, bool value) {
    for (Id id : which) flags[id.index()] = value;
  }

  const LinearQuestion& question_;
  Forms forms_;
  LinearPart part_;
};

}  // namespace

LinearPart find_linear_part(const LinearQuestion& question) { return Search(question).run(); }

}  // namespace hydae
