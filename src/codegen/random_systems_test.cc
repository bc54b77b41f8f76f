// Random DAEs of all kinds: implicit and explicit, several blocks, leads, constraints. The
// structure is found by brute force from the definition of the Sigma-method; the series must
// satisfy the equations by naive arithmetic.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "codegen/residual_check_testing.h"
#include "codegen/sample_systems_testing.h"
#include "codegen/stage_tape.h"

namespace hydae::codegen {
namespace {

constexpr int kNone = -1000;
using Sigma = std::vector<std::vector<int>>;

// Smallest c, d >= 0 with d_j - c_i >= sigma_ij and equality on the diagonal, for the rows and
// columns in `members`; empty if the diagonal is no highest-value transversal.
std::vector<int> offsets_c(const Sigma& sigma, const std::vector<int>& members) {
  std::vector<int> c(sigma.size(), 0);
  for (int sweep = 0; sweep < 100; ++sweep) {
    bool is_stable = true;
    for (int j : members) {
      int d = kNone;
      for (int i : members) d = std::max(d, sigma[i][j] + c[i]);
      if (c[j] != d - sigma[j][j]) c[j] = d - sigma[j][j], is_stable = false;
    }
    if (is_stable) return c;
  }
  return {};
}

std::vector<int> everything(const Sigma& sigma) {
  std::vector<int> all(sigma.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return all;
}

// Fine blocks: equation i needs variable j of the same stage where sigma_ij = d_j - c_i; mutual
// reachability by matrix powers, order of solution by repeatedly taking a block that needs no
// other.
Structure analyze(const Sigma& sigma) {
  const int n = static_cast<int>(sigma.size());
  Structure s;
  s.c = offsets_c(sigma, everything(sigma));
  if (s.c.empty()) return {};
  for (int j = 0; j < n; ++j) s.d.push_back(sigma[j][j] + s.c[j]);
  std::vector<std::vector<char>> reach(n, std::vector<char>(n, false));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) reach[i][j] = i == j || sigma[i][j] == s.d[j] - s.c[i];
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) reach[i][j] |= reach[i][k] && reach[k][j];
    }
  }
  std::vector<char> is_done(n, false);
  while (std::count(is_done.begin(), is_done.end(), true) < n) {
    for (int i = 0; i < n; ++i) {
      if (is_done[i]) continue;
      std::vector<int> members;
      bool is_ready = true;
      for (int j = 0; j < n; ++j) {
        if (reach[i][j] && reach[j][i])
          members.push_back(j);
        else
          is_ready &= !reach[i][j] || is_done[j];
      }
      if (!is_ready) continue;
      const std::vector<int> local = offsets_c(sigma, members);
      BlockShape block{members, members, s.c[i] - local[i]};
      for (int j : members) EXPECT_EQ(s.c[j] - local[j], block.lead);
      s.blocks.push_back(block);
      for (int j : members) is_done[j] = true;
    }
  }
  return s;
}

class Generator {
 public:
  Generator(SampleSystem& system, unsigned seed) : s_(system), random_(seed) {}

  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  // A smooth bounded function of one or two of the given quantities.
  Sym term(const std::vector<Sym>& quantities) {
    const Sym u = pick(quantities), v = pick(quantities);
    switch (whole(0, 11)) {
      case 0: return sin(u + real(-1, 1));
      case 1: return cos(real(0.5, 1.5) * u + v);
      case 2: return exp(-0.2 * sqr(u));
      case 3: return atan(u) * v;
      case 4: return u * v;
      case 5: return u / (2.5 + sin(v));
      case 6: return sqrt(3 + cos(u)) * sin(v);
      case 7: return pow(4 + sqr(u), -0.5);
      case 8: return log(2.5 + sin(u)) * cos(v);
      case 9: return tanh(u) + sqr(sin(v));
      case 10: return atan2(sin(u), 3 + cos(v));
      default: return real(-2, 2) * u;
    }
  }

 private:
  Sym pick(const std::vector<Sym>& quantities) {
    return quantities[whole(0, static_cast<int>(quantities.size()) - 1)];
  }

  SampleSystem& s_;
  std::mt19937 random_;
};

// Equation i: (3 + function) x_i^(sigma_ii) + function of the derivatives that row i of Sigma
// allows, all of them occurring at their highest order.
Sigma make_equations(SampleSystem& s, Generator& g, int n) {
  Sigma sigma(n, std::vector<int>(n, kNone));
  for (int i = 0; i < n; ++i) {
    sigma[i][i] = g.whole(0, 2);
    for (int j = 0; j < n; ++j) {
      if (i != j && g.whole(0, 2) == 0) sigma[i][j] = g.whole(0, 2);
    }
    std::vector<Sym> quantities = {s.t(), s.c(0.7)};
    Sym sum = s.c(0);
    for (int j = 0; j < n; ++j) {
      for (int q = 0; q <= sigma[i][j] - (i == j); ++q) quantities.push_back(s.x(j, q));
      if (i != j && sigma[i][j] >= 0) sum = sum + 0.3 * sin(s.x(j, sigma[i][j]) + g.real(0, 3));
    }
    sum = sum + (3 + 0.5 * sin(g.term(quantities))) * s.x(i, sigma[i][i]);
    for (int k = 0; k < 4; ++k) sum = sum + 0.4 * g.term(quantities);
    s.equation(sum - g.real(-1, 1));
  }
  return sigma;
}

TEST(RandomSystems, expanded_series_satisfy_the_equations) {
  int num_expanded = 0, num_with_lead = 0, num_constrained = 0, num_implicit = 0, num_late = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    SampleSystem s;
    Generator g(s, seed);
    const int n = g.whole(1, 5), order = g.whole(1, 14);
    const Sigma sigma = make_equations(s, g, n);
    s.input.structure = analyze(sigma);
    if (s.input.structure.c.empty()) continue;
    const int max_c = *std::max_element(s.input.structure.c.begin(), s.input.structure.c.end());
    if (max_c > 8) continue;
    const auto program = s.make_program();
    for (std::size_t e = 0; e < program->entries().size(); ++e)
      s.state.push_back(g.real(-0.5, 0.5));
    Expansion expansion(program, order);
    const std::vector<double> weights(program->num_state(), 1e9);
    const ExpandResult r = expansion.expand(
        {.time = 0.3, .step = 0.25, .order = order, .state = s.state, .weights = weights});
    // Random points may be singular or too far from the constraints for Newton's method.
    if (!r.ok() || r.condition > 1e4) continue;
    ++num_expanded;
    bool has_lead = false, is_implicit = false, is_late = false;
    for (int b = 0; b < program->num_blocks(); ++b) {
      has_lead |= s.input.structure.blocks[b].lead > 0;
      is_implicit |= !program->is_quasilinear(b);
      is_late |= program->is_quasilinear(b) && program->stages().blocks[b].is_late;
    }
    num_with_lead += has_lead;
    num_implicit += is_implicit;
    num_constrained += max_c > 0;
    num_late += is_late;
    EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), 1e4 * (1 + r.condition)) << seed;
  }
  // The generator must not have become too easy.
  EXPECT_GT(num_expanded, 1500);
  EXPECT_GT(num_with_lead, 200);
  EXPECT_GT(num_constrained, 500);
  EXPECT_GT(num_implicit, 150);
  EXPECT_GT(num_late, 150);
}

}  // namespace
}  // namespace hydae::codegen
