#include "ops/operation.h"

#include "base/check.h"
#include "ops/list.h"

namespace hydae {
namespace ops {
namespace {

// What is no operation on numbers.
constexpr Entry kOthers[] = {
    {.op = Op::kConstant, .name = "constant", .kind = Kind::kLeaf},
    {.op = Op::kParameter, .name = "parameter", .kind = Kind::kLeaf},
    {.op = Op::kTime, .name = "time", .kind = Kind::kLeaf},
    {.op = Op::kVariable, .name = "variable", .kind = Kind::kLeaf},
    {.op = Op::kPre, .name = "pre", .kind = Kind::kLeaf, .is_total = false},
    {.op = Op::kInitial, .name = "initial", .kind = Kind::kLeaf},
    {.op = Op::kTerminal, .name = "terminal", .kind = Kind::kLeaf},
    {.op = Op::kSelect, .name = "select", .num_operands = 3},
    {.op = Op::kSample, .name = "sample", .num_operands = 2, .kind = Kind::kStep},
    {.op = Op::kDelay, .name = "delay", .num_operands = 3},
    {.op = Op::kHomotopy, .name = "homotopy", .num_operands = 2},
    {.op = Op::kSmooth, .name = "smooth", .num_operands = 2},
    {.op = Op::kCall, .name = "call", .num_operands = -1, .is_total = false},
    {.op = Op::kCallDerivative, .name = "call_derivative", .num_operands = -1, .is_total = false},
};

template <class O>
struct EntryOf {
  static constexpr Entry value = O::entry;
};

constexpr std::array<Entry, kNumOps> kEntries = [] {
  auto table = table_of<Entry, EntryOf>(Operations(), Entry());
  for (const Entry& other : kOthers) table[static_cast<std::size_t>(other.op)] = other;
  return table;
}();

constexpr bool is_complete() {
  for (std::size_t k = 0; k < kEntries.size(); ++k)
    if (kEntries[k].op != static_cast<Op>(k) || *kEntries[k].name == 0) return false;
  return true;
}
static_assert(is_complete(), "every operation has an entry");

double no_value(double, double) {
  fail_check("an operation on one or two numbers", __FILE__, __LINE__);
}

using ValueOf = double (*)(double, double);
template <class O>
struct Value {
  static double value(double a, [[maybe_unused]] double b) {
    if constexpr (O::entry.num_operands == 1)
      return O::value(a);
    else
      return O::value(a, b);
  }
};
constexpr auto kValues = table_of<ValueOf, Value>(Operations(), &no_value);

// Of one of two branches.
template <class O>
Slopes branch_slopes(double a, double b) {
  const bool is_first = apply(O::decides, a, O::entry.num_operands == 1 ? 0 : b) == 1;
  if (O::entry.num_operands == 1) return {is_first ? 1.0 : -1.0};
  return is_first ? Slopes{1, 0} : Slopes{0, 1};
}

Slopes no_slopes(double, double, double) { return {}; }

using SlopesOf = Slopes (*)(double, double, double);
template <class O>
struct SlopesAt {
  static Slopes value([[maybe_unused]] double v, [[maybe_unused]] double a,
                      [[maybe_unused]] double b) {
    if constexpr (O::entry.kind == Kind::kSwitching)
      return branch_slopes<O>(a, b);
    else if constexpr (!is_analytic<O>)
      return {};
    else if constexpr (O::entry.num_operands == 1)
      return {O::slope(v, a)};
    else
      return {O::slope_a(v, a, b), O::slope_b(v, a, b)};
  }
};
constexpr auto kSlopes = table_of<SlopesOf, SlopesAt>(Operations(), &no_slopes);

bool always(double) { return true; }

using SmoothAt = bool (*)(double);
template <class O>
struct Domain {
  static bool value([[maybe_unused]] double a) {
    if constexpr (requires { O::is_smooth_at(a); })
      return O::is_smooth_at(a);
    else
      return true;
  }
};
constexpr auto kDomains = table_of<SmoothAt, Domain>(Operations(), &always);

template <class O>
struct Decides {
  static constexpr Op of() {
    if constexpr (requires { O::decides; })
      return O::decides;
    else
      return Op::kConstant;
  }
  static constexpr Op value = of();
};
constexpr auto kDecides = table_of<Op, Decides>(Operations(), Op::kConstant);

constexpr std::size_t row(Op op) { return static_cast<std::size_t>(op); }

}  // namespace

const Entry& entry(Op op) { return kEntries[row(op)]; }
std::span<const Entry> entries() { return kEntries; }
const Entry* find_builtin(std::string_view name) {
  for (const Entry& candidate : kEntries)
    if (candidate.is_builtin && candidate.name == name) return &candidate;
  return nullptr;
}
double apply(Op op, double a, double b) { return kValues[row(op)](a, b); }
Slopes slopes(Op op, double value, double a, double b) { return kSlopes[row(op)](value, a, b); }
bool is_smooth_at(Op op, double a) { return kDomains[row(op)](a); }
Op deciding_relation(Op op) { return kDecides[row(op)]; }

}  // namespace ops

const char* op_name(Op op) { return ops::entry(op).name; }
int num_operands(Op op) { return ops::entry(op).num_operands; }

}  // namespace hydae
