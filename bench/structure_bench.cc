// How the structural analysis grows with the system: seconds per step and peak memory, for systems
// that look like chains and for random ones. Each case runs in a process of its own, so that the
// peak is its own. Usage: structure_bench [largest n], 1000000 unless given.
#include <cstddef>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/timer.h"
#include "structure/assignment.h"
#include "structure/blocks.h"
#include "structure/dulmage_mendelsohn.h"
#include "structure/example_systems_testing.h"
#include "structure/offsets.h"

namespace hydae::structure {
namespace {

struct Case {
  std::string name;
  std::function<SignatureMatrix(std::size_t)> make;
};

// Pendula in a chain in which each also pulls at the one before: one large block of index 3.
SignatureMatrix coupled_pendula(std::size_t n) {
  std::vector<SignatureEntry> entries;
  const std::size_t count = n / 3;
  for (std::size_t p = 0; p < count; ++p) {
    const VarId x(3 * p), y(3 * p + 1), lambda(3 * p + 2);
    const EqId f(3 * p), g(3 * p + 1), h(3 * p + 2);
    entries.insert(entries.end(),
                   {{f, x, 2}, {f, lambda, 0}, {g, y, 2}, {g, lambda, 0}, {h, x, 0}, {h, y, 0}});
    if (p > 0) {
      entries.insert(entries.end(), {{h, VarId(3 * p - 3), 0},
                                     {h, VarId(3 * p - 2), 0},
                                     {f, VarId(3 * p - 3), 0},
                                     {g, VarId(3 * p - 2), 0}});
    }
    if (p + 1 < count) {
      const VarId next(3 * p + 5);
      entries.insert(
          entries.end(),
          {{f, next, 0}, {g, next, 0}, {f, VarId(3 * p + 3), 0}, {g, VarId(3 * p + 4), 0}});
    }
  }
  return SignatureMatrix(3 * count, 3 * count, entries);
}

SignatureMatrix random_five(std::size_t n) {
  std::mt19937 rng(1);
  return random_sparse_system(n, 4, 2, rng);
}

// The same chain of pendula, equations and variables shuffled.
SignatureMatrix shuffled_chain(std::size_t n) {
  std::mt19937 rng(1);
  const SignatureMatrix chain = pendulum_chain(n / 3);
  return chain.submatrix(random_order<EqId>(chain.num_eqs(), rng),
                         random_order<VarId>(chain.num_vars(), rng));
}

const std::vector<Case> kCases = {
    {"pendulum chain", [](std::size_t n) { return pendulum_chain(n / 3); }},
    {"shuffled chain", shuffled_chain},
    {"coupled pendula", coupled_pendula},
    {"tridiagonal", tridiagonal_system},
    {"random 5 a row", random_five},
};

void measure(const Case& test_case, std::size_t n) {
  const SignatureMatrix sigma = test_case.make(n);
  const Timer total;
  Timer step;
  const auto lap = [&step] {
    const double seconds = step.seconds();
    step.restart();
    return seconds;
  };
  const DulmageMendelsohn diagnosis = compute_dulmage_mendelsohn(sigma);
  const double diagnose = lap();
  const Blocks coarse = compute_coarse_blocks(sigma, diagnosis.matching);
  const double coarse_blocks = lap();
  const Transversal transversal = compute_highest_value_transversal(sigma, coarse);
  const double assign = lap();
  const Offsets offsets = compute_canonical_offsets(sigma, transversal);
  const double offset = lap();
  const Blocks fine = compute_fine_blocks(sigma, transversal.matching, offsets, coarse);
  const double fine_blocks = lap();
  fmt::print("{:<16}{:>9}{:>9}{:>8.3f}{:>8.3f}{:>8.3f}{:>8.3f}{:>8.3f}{:>8.3f}{:>8}{:>9}",
             test_case.name, sigma.num_eqs(), sigma.num_entries(), diagnose, coarse_blocks, assign,
             offset, fine_blocks, total.seconds(), structural_index(offsets), fine.size());
  std::fflush(stdout);
}

void measure_in_child(const Case& test_case, std::size_t n) {
  const pid_t child = fork();
  if (child == 0) {
    measure(test_case, n);
    std::_Exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (status == 0) {
    fmt::print("{:>9.0f}\n", static_cast<double>(usage.ru_maxrss) / 1024.0);
  } else {
    fmt::print("{:<16}{:>9} failed\n", test_case.name, n);
  }
  std::fflush(stdout);
}

void run(std::size_t largest) {
  fmt::print("{:<16}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}\n", "system", "n",
             "entries", "diagn.", "coarse", "assign", "offsets", "fine", "total", "index", "blocks",
             "peak MB");
  std::fflush(stdout);
  for (const Case& test_case : kCases) {
    for (std::size_t n = 1000; n <= largest; n *= 10) measure_in_child(test_case, n);
  }
}

}  // namespace
}  // namespace hydae::structure

int main(int argc, char** argv) {
  hydae::structure::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000);
}
