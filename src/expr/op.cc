#include <iterator>

#include <hydae/expr.h>

namespace hydae {
namespace {

struct OpInfo {
  const char* name;
  int num_operands;
};

// In the order of Op.
constexpr OpInfo kOps[] = {
    {"constant", 0}, {"parameter", 0},
    {"time", 0},     {"variable", 0},
    {"pre", 0},      {"initial", 0},
    {"terminal", 0}, {"neg", 1},
    {"add", 2},      {"sub", 2},
    {"mul", 2},      {"div", 2},
    {"pow", 2},      {"sqrt", 1},
    {"exp", 1},      {"log", 1},
    {"log10", 1},    {"sin", 1},
    {"cos", 1},      {"tan", 1},
    {"asin", 1},     {"acos", 1},
    {"atan", 1},     {"atan2", 2},
    {"sinh", 1},     {"cosh", 1},
    {"tanh", 1},     {"abs", 1},
    {"sign", 1},     {"min", 2},
    {"max", 2},      {"floor", 1},
    {"ceil", 1},     {"trunc", 1},
    {"less", 2},     {"less_equal", 2},
    {"greater", 2},  {"greater_equal", 2},
    {"equal", 2},    {"not_equal", 2},
    {"not", 1},      {"and", 2},
    {"or", 2},       {"select", 3},
    {"sample", 2},   {"delay", 3},
    {"homotopy", 2}, {"smooth", 2},
    {"call", -1},    {"call_derivative", -1},
};
static_assert(std::size(kOps) == kNumOps);

}  // namespace

const char* op_name(Op op) { return kOps[static_cast<int>(op)].name; }
int num_operands(Op op) { return kOps[static_cast<int>(op)].num_operands; }

}  // namespace hydae
