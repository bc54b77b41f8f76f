#include "modelica/external/native_functions.h"

#include <cstdio>

namespace hydae::modelica::native {

namespace {

constexpr int kLargestSize = 10'000;

bool is_size(int n) { return 0 < n && n <= kLargestSize; }

}  // namespace

std::optional<Function> find_native(const std::string& name) {
  int n = 0, k = 0, m = 0, end = 0;
  const auto is_whole = [&] { return end == static_cast<int>(name.size()); };
  std::optional<Function> found = find_generator(name);
  if (std::sscanf(name.c_str(), "dgesv%dx%d%n", &n, &m, &end) == 2 && is_size(n) && is_size(m))
    found = make_linear_solver(n, m);
  else if (std::sscanf(name.c_str(), "dgelsy%dx%dx%d%n", &n, &k, &m, &end) == 3 && is_size(n) &&
           is_size(k) && is_size(m))
    found = make_least_squares(n, k, m);
  else if (std::sscanf(name.c_str(), "fourier%d%n", &n, &end) == 1 && is_size(n) && n % 2 == 0)
    found = make_fourier(n);
  else
    return found;
  return is_whole() ? found : std::nullopt;
}

}  // namespace hydae::modelica::native
