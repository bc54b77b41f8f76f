// The pattern of a sparse square matrix in compressed columns, as KLU wants it, from positions in
// any order.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace hydae {

struct Position {
  std::uint32_t column, row;
  auto operator<=>(const Position&) const = default;
};

struct CompressedColumns {
  std::vector<int> start, row;
  std::vector<std::uint32_t> slot;  // of the positions as given; equal ones share theirs
};

// Of n columns. In each of them the row that a maximum matching gives it stands first: KLU's search
// for a transversal, which is quadratic at worst, takes it. The others ascend.
CompressedColumns compress(std::size_t n, std::span<const Position> positions);

}  // namespace hydae
