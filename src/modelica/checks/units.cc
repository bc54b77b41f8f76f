#include "modelica/checks/units.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <span>

namespace hydae::modelica {

// ---- the vector space ----

namespace {

constexpr double kExponentRounding = 1e-9;
constexpr const char* kBaseSymbols[] = {"m", "kg", "s", "A", "K", "mol", "cd"};

}  // namespace

Unit Unit::base(std::size_t index) {
  Unit out;
  out.exponents_[index] = 1;
  return out;
}

Unit Unit::factor(double value) {
  Unit out;
  out.exponents_[kNumBase] = std::log10(value);
  return out;
}

Unit& Unit::operator*=(double power) {
  for (double& exponent : exponents_) exponent *= power;
  return *this;
}

Unit& Unit::add(const Unit& other, double power) {
  for (std::size_t i = 0; i < exponents_.size(); ++i) exponents_[i] += power * other.exponents_[i];
  return *this;
}

bool Unit::is_number() const {
  for (const double exponent : exponents_)
    if (std::abs(exponent) > kExponentRounding) return false;
  return true;
}

bool Unit::operator==(const Unit& other) const { return (*this - other).is_number(); }

// ---- symbols ----

namespace {

struct UnitSymbol {
  const char* name;
  std::array<int, Unit::kNumBase> exponents;  // m kg s A K mol cd
  double factor = 1;
  bool takes_prefix = true;
};

constexpr double kTurn = 2 * std::numbers::pi;

// Base units first, then derived ones with names, then units accepted beside the SI.
constexpr UnitSymbol kSymbols[] = {
    {"m", {1}},
    {"g", {0, 1}, 1e-3},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"N", {1, 1, -2}},
    {"Pa", {-1, 1, -2}},
    {"J", {2, 1, -2}},
    {"W", {2, 1, -3}},
    {"C", {0, 0, 1, 1}},
    {"V", {2, 1, -3, -1}},
    {"Ohm", {2, 1, -3, -2}},
    {"S", {-2, -1, 3, 2}},
    {"F", {-2, -1, 4, 2}},
    {"H", {2, 1, -2, -2}},
    {"Wb", {2, 1, -2, -1}},
    {"T", {0, 1, -2, -1}},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}},
    {"Gy", {2, 0, -2}},
    {"kat", {0, 0, -1, 0, 0, 1}},
    {"Hz", {0, 0, -1}},
    {"Bq", {0, 0, -1}},
    {"Sv", {2, 0, -2}},
    {"lm", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {}},
    {"sr", {}},
    {"VA", {2, 1, -3}},
    {"var", {2, 1, -3}},
    {"eV", {2, 1, -2}, 1.602176634e-19},
    {"bar", {-1, 1, -2}, 1e5},
    {"l", {3}, 1e-3},
    {"L", {3}, 1e-3},
    {"t", {0, 1}, 1e3},
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"d", {0, 0, 1}, 86400, false},
    {"deg", {}, kTurn / 360, false},
    {"rev", {}, kTurn, false},
    {"rpm", {0, 0, -1}, kTurn / 60, false},
    {"degC", {0, 0, 0, 0, 1}, 1, false},
    {"degF", {0, 0, 0, 0, 1}, 5.0 / 9, false},
    {"degRk", {0, 0, 0, 0, 1}, 5.0 / 9, false},
};

constexpr std::size_t kNumPrinted = 18;  // up to `T`: what is printed by a name of its own

struct Prefix {
  const char* name;
  double factor;
};
constexpr Prefix kPrefixes[] = {
    {"da", 1e1}, {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},  {"T", 1e12}, {"G", 1e9},
    {"M", 1e6},  {"k", 1e3},   {"h", 1e2},   {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3}, {"u", 1e-6},
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}};

Unit unit_of(const UnitSymbol& symbol) {
  Unit out = Unit::factor(symbol.factor);
  for (std::size_t i = 0; i < Unit::kNumBase; ++i) out.add(Unit::base(i), symbol.exponents[i]);
  return out;
}

const UnitSymbol* find_symbol(std::string_view name) {
  for (const UnitSymbol& symbol : kSymbols)
    if (name == symbol.name) return &symbol;
  return nullptr;
}

// The whole text as a symbol first, then as prefix and symbol: `min` is a minute.
std::optional<Unit> find_unit(std::string_view name) {
  if (const UnitSymbol* symbol = find_symbol(name)) return unit_of(*symbol);
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const UnitSymbol* symbol = find_symbol(name.substr(std::string_view(prefix.name).size()));
    if (symbol != nullptr && symbol->takes_prefix)
      return unit_of(*symbol) + Unit::factor(prefix.factor);
  }
  return std::nullopt;
}

}  // namespace

// ---- reading ----

namespace {

constexpr int kMaxDepth = 50;  // of parentheses

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : rest_(text) {}

  std::optional<Unit> parse() {
    const std::optional<Unit> unit = expression();
    return rest_.empty() ? unit : std::nullopt;
  }

 private:
  bool accept(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<Unit> expression() {
    if (++depth_ > kMaxDepth) return std::nullopt;
    std::optional<Unit> unit = factors();
    if (unit && accept('/')) {
      const std::optional<Unit> below = factor();
      if (!below) return std::nullopt;
      *unit -= *below;
    }
    --depth_;
    return unit;
  }

  std::optional<Unit> factors() {
    std::optional<Unit> unit = factor();
    while (unit && accept('.')) {
      const std::optional<Unit> next = factor();
      if (!next) return std::nullopt;
      *unit += *next;
    }
    return unit;
  }

  std::optional<Unit> factor() {
    if (accept('1')) return Unit();
    if (accept('(')) {
      const std::optional<Unit> inner = expression();
      return inner && accept(')') ? inner : std::nullopt;
    }
    std::size_t length = 0;
    while (length < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[length])))
      ++length;
    const std::optional<Unit> unit = find_unit(rest_.substr(0, length));
    if (!unit) return std::nullopt;
    rest_.remove_prefix(length);
    const std::optional<double> power = exponent();
    return power ? std::optional(*power * *unit) : std::nullopt;
  }

  // `2`, `-1`, `+3`, `(1/2)`; 1 if there is none.
  std::optional<double> exponent() {
    if (rest_.starts_with("(")) {
      rest_.remove_prefix(1);
      const std::optional<double> above = integer();
      if (!above || !accept('/')) return std::nullopt;
      const std::optional<double> below = integer();
      if (!below || *below == 0 || !accept(')')) return std::nullopt;
      return *above / *below;
    }
    const bool is_written = !rest_.empty() && (rest_.front() == '-' || rest_.front() == '+' ||
                                               std::isdigit(static_cast<unsigned char>(rest_[0])));
    return is_written ? integer() : 1.0;
  }

  std::optional<double> integer() {
    const bool has_plus = accept('+');
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || (has_plus && value < 0)) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view rest_;
  int depth_ = 0;
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) { return UnitParser(text).parse(); }

// ---- writing ----

namespace {

std::string exponent_text(double exponent) {
  if (std::abs(exponent - 1) < kExponentRounding) return "";
  for (int below = 1; below <= 12; ++below) {
    const double above = std::round(exponent * below);
    if (std::abs(exponent * below - above) > kExponentRounding) continue;
    return below == 1 ? fmt::format("{}", above) : fmt::format("({}/{})", above, below);
  }
  return fmt::format("({:.4g})", exponent);
}

}  // namespace

std::string Unit::text() const {
  for (const UnitSymbol& symbol : std::span(kSymbols).first(kNumPrinted))
    if (symbol.factor == 1 && unit_of(symbol) == *this) return symbol.name;
  std::string above, below;
  int num_below = 0;
  if (std::abs(exponents_[kNumBase]) > kExponentRounding)
    above = fmt::format("{:.6g}", std::pow(10.0, exponents_[kNumBase]));
  for (std::size_t i = 0; i < kNumBase; ++i) {
    if (std::abs(exponents_[i]) <= kExponentRounding) continue;
    const bool is_above = exponents_[i] > 0;
    std::string& side = is_above ? above : below;
    if (!is_above) ++num_below;
    side += fmt::format("{}{}{}", side.empty() ? "" : ".", kBaseSymbols[i],
                        exponent_text(std::abs(exponents_[i])));
  }
  if (above.empty()) above = "1";
  if (num_below == 0) return above;
  return num_below == 1 ? above + "/" + below : fmt::format("{}/({})", above, below);
}

}  // namespace hydae::modelica
