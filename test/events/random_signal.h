// Random smooth signals with a closed form: as Modelica text over a few states and time, and as a
// number at any time. The two share nothing with the simulator: a tree of elementary functions,
// evaluated by the mathematical library in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace hydae::random_guards {

using Real = long double;

struct Signal {
  std::string text;
  std::function<Real(Real)> value;  // of the time since the start
  // Of a quotient whose denominator vanishes.
  std::function<Real(Real)> numerator{}, denominator{};
};

enum class Family {
  kSmooth,
  kPoles,  // quotients whose denominators vanish
  kStiff,  // also of a state that follows another at a rate of 1e5
};

// What the model integrates, with known solutions. `rate` is one over the unit of time.
struct Setting {
  double start = 0, rate = 1;
  Family family = Family::kSmooth;
  std::string local_time() const {
    if (start == 0 && rate == 1) return "time";
    return fmt::format("({:.17g}*(time - {:.17g}))", rate, start);
  }
  std::string equations() const {
    const std::string follower =
        family == Family::kStiff
            ? fmt::format("  der(z) = -{0:.17g}*(z - s) + {1:.17g}*c;\n", 1e5 * rate, 3 * rate)
            : "";
    return follower +
           fmt::format(
               "  der(x) = -{0:.17g}*x;\n  der(c) = -{1:.17g}*s;\n  der(s) = {1:.17g}*c;\n"
               "  der(r) = {0:.17g};\n",
               rate, 3 * rate);
  }
};

class SignalMaker {
 public:
  SignalMaker(unsigned seed, Setting setting) : random_(seed), setting_(setting) {}

  // One whose values go to and fro across zero.
  Signal make() {
    if (setting_.family != Family::kPoles) return tree(2);
    const Signal a = tree(1), b = sine();
    return {fmt::format("({})/{}", a.text, b.text), [=](Real t) { return a.value(t) / b.value(t); },
            a.value, b.value};
  }
  int choice(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  double number(double from, double to) {
    return std::round(1000 * std::uniform_real_distribution<double>(from, to)(random_)) / 1000;
  }

 private:
  // Slow arguments: time, exp(-t), cos 3t, sin 3t, t as a state.
  Signal leaf() {
    switch (choice(setting_.family == Family::kStiff ? 8 : 5)) {
      case 5:
      case 6:
      case 7: return {"z", [](Real t) { return std::sin(3 * t); }};
      case 0: return {setting_.local_time(), [](Real t) { return t; }};
      case 1: return {"x", [](Real t) { return std::exp(-t); }};
      case 2: return {"c", [](Real t) { return std::cos(3 * t); }};
      case 3: return {"s", [](Real t) { return std::sin(3 * t); }};
      default: return {"r", [](Real t) { return t; }};
    }
  }
  Signal sine() {
    const Signal a = leaf();
    const double w = number(2, 60), p = number(0, 6);
    return {fmt::format("sin({:.17g}*{} + {:.17g})", w, a.text, p),
            [=](Real t) { return std::sin(Real(w) * a.value(t) + Real(p)); }};
  }
  Signal tree(int depth) {
    if (depth == 0) return choice(3) == 0 ? leaf() : sine();
    const Signal a = tree(depth - 1);
    const double k = number(0.3, 2);
    switch (choice(8)) {
      case 0: {
        const Signal b = tree(depth - 1);
        return {fmt::format("({} + {:.17g}*{})", a.text, k, b.text),
                [=](Real t) { return a.value(t) + Real(k) * b.value(t); }};
      }
      case 1: {
        const Signal b = tree(depth - 1);
        return {fmt::format("({})*({})", a.text, b.text),
                [=](Real t) { return a.value(t) * b.value(t); }};
      }
      case 2: {
        const Signal b = sine();
        return {fmt::format("({})/(1.5 + {})", a.text, b.text),
                [=](Real t) { return a.value(t) / (1.5L + b.value(t)); }};
      }
      case 3:
        return {fmt::format("exp(-{:.17g}*{}^2)", k, paren(a.text)),
                [=](Real t) { return std::exp(-Real(k) * a.value(t) * a.value(t)); }};
      case 4:
        return {fmt::format("sqrt({}^2 + {:.17g})", paren(a.text), k),
                [=](Real t) { return std::sqrt(a.value(t) * a.value(t) + Real(k)); }};
      case 5:
        return {fmt::format("sin(3*{})", paren(a.text)),
                [=](Real t) { return std::sin(3 * a.value(t)); }};
      case 6:
        return {fmt::format("tanh({:.17g}*{})", 3 * k, paren(a.text)),
                [=](Real t) { return std::tanh(3 * Real(k) * a.value(t)); }};
      default: return sine();
    }
  }
  static std::string paren(const std::string& text) { return "(" + text + ")"; }

  std::mt19937 random_;
  Setting setting_;
};

// Roots of f in (0, stop], and whether they are plain to see: far from touching zero anywhere
// else, not too steep, not too flat, not at the ends.
struct Roots {
  std::vector<Real> rising, falling;
  Real size = 0;           // largest |f|
  Real flattest = 1e300L;  // smallest slope at a root
  bool are_plain = false;
};

inline Roots find_roots(const std::function<Real(Real)>& f, Real stop, Real margin) {
  constexpr int kCells = 20'000;
  std::vector<Real> values(kCells + 1);
  Roots roots;
  for (int k = 0; k <= kCells; ++k) {
    values[static_cast<std::size_t>(k)] = f(stop * k / kCells);
    roots.size = std::max(roots.size, std::abs(values[static_cast<std::size_t>(k)]));
  }
  if (!std::isfinite(static_cast<double>(roots.size)) || roots.size == 0) return roots;
  const Real small = margin * roots.size;
  if (std::abs(values[0]) < small || std::abs(values[kCells]) < small) return roots;
  for (std::size_t k = 0; k < kCells; ++k) {
    const Real a = values[k], b = values[k + 1];
    if (k > 0) {  // an extremum close to zero
      const Real before = values[k - 1];
      if ((a - before) * (b - a) <= 0 && std::abs(a) < small) return roots;
    }
    if ((a > 0) == (b > 0)) continue;
    Real lower = stop * static_cast<Real>(k) / kCells, upper = lower + stop / kCells;
    for (int i = 0; i < 70; ++i) {
      const Real middle = (lower + upper) / 2;
      ((f(middle) > 0) == (a > 0) ? lower : upper) = middle;
    }
    (b > 0 ? roots.rising : roots.falling).push_back(upper);
    roots.flattest = std::min(roots.flattest, std::abs(b - a) * kCells / stop);
  }
  roots.are_plain =
      roots.flattest * stop > small * 100 || roots.rising.size() + roots.falling.size() == 0;
  return roots;
}

// Changes of sign of a/b, by way of zero or of infinity: the roots of both, which are smooth. Plain
// if they are so one by one, and no two are closer than errors of the solution may move them.
inline Roots find_changes_of_sign(const std::function<Real(Real)>& a,
                                  const std::function<Real(Real)>& b, Real stop, Real margin) {
  constexpr Real kApart = 10;
  const Roots zeros = find_roots(a, stop, margin), poles = find_roots(b, stop, margin);
  Roots roots;
  roots.size = 1;
  roots.flattest = std::min(zeros.flattest / zeros.size, poles.flattest / poles.size);
  roots.are_plain = zeros.are_plain && poles.are_plain;
  std::vector<Real> all;
  for (const auto* list : {&zeros.rising, &zeros.falling, &poles.rising, &poles.falling})
    all.insert(all.end(), list->begin(), list->end());
  std::sort(all.begin(), all.end());
  bool is_positive = a(0) / b(0) > 0;
  for (std::size_t k = 0; k < all.size(); ++k, is_positive = !is_positive) {
    (is_positive ? roots.falling : roots.rising).push_back(all[k]);
    if (k > 0 && all[k] - all[k - 1] < kApart * margin / roots.flattest) roots.are_plain = false;
  }
  return roots;
}

}  // namespace hydae::random_guards
