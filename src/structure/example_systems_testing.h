// Systems that tests and benchmarks share: small drawings, the pendulum family, random ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <hydae/ids.h>

#include "structure/signature.h"

namespace hydae::structure {

// One string per equation, one word per variable: an order, or "-" for no entry.
inline SignatureMatrix draw(std::initializer_list<const char*> rows) {
  std::vector<SignatureEntry> entries;
  std::size_t eq = 0;
  std::size_t num_vars = 0;
  for (const char* row : rows) {
    std::istringstream words(row);
    std::string word;
    std::size_t var = 0;
    for (; words >> word; ++var) {
      if (word != "-") entries.push_back({EqId(eq), VarId(var), std::stoi(word)});
    }
    num_vars = std::max(num_vars, var);
    ++eq;
  }
  return SignatureMatrix(eq, num_vars, entries);
}

// x'' + x lambda = 0, y'' + y lambda - G = 0, x^2 + y^2 = L^2; variables x, y, lambda.
inline SignatureMatrix pendulum() { return draw({"2 - 0", "- 2 0", "0 0 -"}); }

// Pendulum p has the equations and variables 3p, 3p + 1, 3p + 2; the length of each but the first
// depends on lambda of the one before: x^2 + y^2 = (L + c lambda_before)^2.
inline SignatureMatrix pendulum_chain(std::size_t num_pendula) {
  std::vector<SignatureEntry> entries;
  for (std::size_t p = 0; p < num_pendula; ++p) {
    const VarId x(3 * p), y(3 * p + 1), lambda(3 * p + 2);
    const EqId f(3 * p), g(3 * p + 1), h(3 * p + 2);
    entries.insert(entries.end(),
                   {{f, x, 2}, {f, lambda, 0}, {g, y, 2}, {g, lambda, 0}, {h, x, 0}, {h, y, 0}});
    if (p > 0) entries.push_back({h, VarId(3 * p - 1), 0});
  }
  return SignatureMatrix(3 * num_pendula, 3 * num_pendula, entries);
}

// The modified two pendula of the DAESA user guide; variables x, y, lambda, u, v, mu.
inline SignatureMatrix modified_two_pendula() {
  return draw({"2 - 0 - - -",  //
               "- 2 0 - - -",  //
               "0 0 - - - -",  //
               "- - - 2 - 0",  //
               "- - - - 3 0",  //
               "- - 2 0 0 -"});
}

struct RandomSystem {
  std::size_t num_eqs = 0;
  std::size_t num_vars = 0;
  double density = 0.5;  // probability of an entry
  int max_order = 2;
};

inline SignatureMatrix random_system(const RandomSystem& shape, std::mt19937& rng) {
  std::uniform_real_distribution<double> coin(0.0, 1.0);
  std::uniform_int_distribution<int> order(0, shape.max_order);
  std::vector<SignatureEntry> entries;
  for (EqId eq : ids<EqId>(shape.num_eqs)) {
    for (VarId var : ids<VarId>(shape.num_vars)) {
      if (coin(rng) < shape.density) entries.push_back({eq, var, order(rng)});
    }
  }
  return SignatureMatrix(shape.num_eqs, shape.num_vars, entries);
}

template <class I>
std::vector<I> random_order(std::size_t count, std::mt19937& rng) {
  std::vector<I> order;
  for (I id : ids<I>(count)) order.push_back(id);
  std::shuffle(order.begin(), order.end(), rng);
  return order;
}

// A full transversal at a random place and `others` more entries a row; orders 0 to `max_order`.
inline SignatureMatrix random_sparse_system(std::size_t n, int others, int max_order,
                                            std::mt19937& rng) {
  std::uniform_int_distribution<std::size_t> column(0, n - 1);
  std::uniform_int_distribution<int> order(0, max_order);
  const std::vector<VarId> transversal = random_order<VarId>(n, rng);
  std::vector<SignatureEntry> entries;
  for (EqId eq : ids<EqId>(n)) {
    entries.push_back({eq, transversal[eq.index()], order(rng)});
    for (int k = 0; k < others; ++k) entries.push_back({eq, VarId(column(rng)), order(rng)});
  }
  return SignatureMatrix(n, n, entries);
}

// x_i' = f(x_(i-1), x_i, x_(i+1), y_i), 0 = g(x_i, y_i, y_(i+1)): index 1, one large block.
inline SignatureMatrix tridiagonal_system(std::size_t n) {
  std::vector<SignatureEntry> entries;
  const std::size_t cells = (n + 1) / 2;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t cell = i / 2;
    const EqId eq(i);
    if (i % 2 == 0) {
      entries.push_back({eq, VarId(i), 1});
      if (cell > 0) entries.push_back({eq, VarId(i - 2), 0});
      if (cell + 1 < cells) entries.push_back({eq, VarId(i + 2), 0});
      if (i + 1 < n) entries.push_back({eq, VarId(i + 1), 0});
    } else {
      entries.insert(entries.end(), {{eq, VarId(i - 1), 0}, {eq, VarId(i), 0}});
      if (i + 2 < n) entries.push_back({eq, VarId(i + 2), 0});
    }
  }
  return SignatureMatrix(n, n, entries);
}

}  // namespace hydae::structure
