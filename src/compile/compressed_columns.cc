#include "compile/compressed_columns.h"

#include <algorithm>
#include <optional>

#include "structure/matching.h"

namespace hydae {
namespace {

// A row for each column such that no row is taken twice, if there are such.
std::optional<structure::Matching> match_rows(std::size_t n, const std::vector<Position>& sorted) {
  std::vector<structure::SignatureEntry> entries;
  for (const Position& p : sorted) entries.push_back({EqId(p.row), VarId(p.column), 0});
  auto matching = structure::compute_maximum_matching(structure::SignatureMatrix(n, n, entries));
  if (matching.size() < n) return std::nullopt;
  return matching;
}

void put_matched_rows_first(const structure::Matching& matching, std::vector<Position>& sorted) {
  auto begin = sorted.begin();
  for (auto at = begin; at != sorted.end(); ++at) {
    if (at->column != begin->column) begin = at;
    if (matching.var_to_eq[VarId(at->column)] == EqId(at->row)) std::rotate(begin, at, at + 1);
  }
}

}  // namespace

CompressedColumns compress(std::size_t n, std::span<const Position> positions) {
  std::vector<Position> sorted(positions.begin(), positions.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (const auto matching = match_rows(n, sorted)) put_matched_rows_first(*matching, sorted);
  CompressedColumns result;
  auto& [start, row, slot] = result;
  start.assign(n + 1, 0);
  for (const Position& position : sorted) {
    ++start[position.column + 1];
    row.push_back(static_cast<int>(position.row));
  }
  for (std::size_t j = 0; j < n; ++j) start[j + 1] += start[j];
  for (const Position& position : positions) {
    const auto wanted = static_cast<int>(position.row);
    auto at = row.begin() + start[position.column];
    const auto end = row.begin() + start[position.column + 1];
    if (*at != wanted) at = std::lower_bound(at + 1, end, wanted);
    slot.push_back(static_cast<std::uint32_t>(at - row.begin()));
  }
  return result;
}

}  // namespace hydae
