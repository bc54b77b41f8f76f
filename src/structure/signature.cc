#include "structure/signature.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <hydae/error.h>

namespace hydae::structure {
namespace {

void check_entry(const SignatureEntry& entry, std::size_t num_eqs, std::size_t num_vars) {
  if (entry.eq.index() >= num_eqs || entry.var.index() >= num_vars) {
    throw UsageError("signature entry (" + std::to_string(entry.eq.index()) + ", " +
                     std::to_string(entry.var.index()) + ") is outside of a " +
                     std::to_string(num_eqs) + " x " + std::to_string(num_vars) + " matrix");
  }
  if (entry.order < 0) {
    throw UsageError("signature entry (" + std::to_string(entry.eq.index()) + ", " +
                     std::to_string(entry.var.index()) + ") has the negative order " +
                     std::to_string(entry.order));
  }
}

// The entries sorted by key(entry) < num_keys, equal keys in their old order (counting sort).
template <class Key>
std::vector<SignatureEntry> sorted_by(std::span<const SignatureEntry> entries, std::size_t num_keys,
                                      Key key) {
  std::vector<std::size_t> next(num_keys + 1, 0);
  for (const SignatureEntry& entry : entries) ++next[key(entry) + 1];
  for (std::size_t k = 0; k < num_keys; ++k) next[k + 1] += next[k];
  std::vector<SignatureEntry> sorted(entries.size());
  for (const SignatureEntry& entry : entries) sorted[next[key(entry)]++] = entry;
  return sorted;
}

void check_order_sum(const SignatureMatrix& sigma) {
  std::int64_t sum = 0;
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    int highest = 0;
    for (const auto& entry : sigma.row(eq)) highest = std::max(highest, entry.order);
    sum += highest;
  }
  if (sum > SignatureMatrix::kMaxOrderSum) {
    throw UsageError("the derivative orders of the equations add up to " + std::to_string(sum) +
                     ", more than the limit " + std::to_string(SignatureMatrix::kMaxOrderSum));
  }
}

}  // namespace

SignatureMatrix::SignatureMatrix(std::size_t num_eqs, std::size_t num_vars,
                                 std::span<const SignatureEntry> entries) {
  for (const SignatureEntry& entry : entries) check_entry(entry, num_eqs, num_vars);
  const auto by_var =
      sorted_by(entries, num_vars, [](const SignatureEntry& entry) { return entry.var.index(); });
  const auto sorted =
      sorted_by(by_var, num_eqs, [](const SignatureEntry& entry) { return entry.eq.index(); });

  row_start_.reserve(num_eqs + 1);
  by_row_.reserve(sorted.size());
  std::size_t k = 0;
  for (EqId eq : ids<EqId>(num_eqs)) {
    for (; k < sorted.size() && sorted[k].eq == eq; ++k) {
      const bool is_again =
          by_row_.size() > row_start_.back() && by_row_.back().var == sorted[k].var;
      if (!is_again) by_row_.push_back({sorted[k].var, sorted[k].order});
      by_row_.back().order = std::max(by_row_.back().order, sorted[k].order);
    }
    row_start_.push_back(by_row_.size());
  }
  build_columns(num_vars);
  check_order_sum(*this);
}

std::optional<int> SignatureMatrix::find_order(EqId eq, VarId var) const {
  const auto entries = row(eq);
  const auto found = std::lower_bound(entries.begin(), entries.end(), var,
                                      [](const InRow& entry, VarId v) { return entry.var < v; });
  if (found == entries.end() || found->var != var) return std::nullopt;
  return found->order;
}

SignatureMatrix SignatureMatrix::submatrix(std::span<const EqId> eqs,
                                           std::span<const VarId> vars) const {
  IdVector<VarId, VarId> new_var(num_vars());
  for (std::size_t k = 0; k < vars.size(); ++k) new_var[vars[k]] = VarId(k);
  std::vector<SignatureEntry> entries;
  for (std::size_t k = 0; k < eqs.size(); ++k) {
    for (const InRow& entry : row(eqs[k])) {
      const VarId var = new_var[entry.var];
      if (var.is_valid()) entries.push_back({EqId(k), var, entry.order});
    }
  }
  return SignatureMatrix(eqs.size(), vars.size(), entries);
}

SignatureMatrix SignatureMatrix::transposed() const {
  std::vector<SignatureEntry> entries;
  entries.reserve(num_entries());
  for (EqId eq : ids<EqId>(num_eqs())) {
    for (const InRow& entry : row(eq)) {
      entries.push_back({EqId(entry.var.index()), VarId(eq.index()), entry.order});
    }
  }
  return SignatureMatrix(num_vars(), num_eqs(), entries);
}

void SignatureMatrix::build_columns(std::size_t num_vars) {
  column_start_.assign(num_vars + 1, 0);
  for (const InRow& entry : by_row_) ++column_start_[entry.var.index() + 1];
  for (std::size_t j = 0; j < num_vars; ++j) column_start_[j + 1] += column_start_[j];
  std::vector<std::size_t> next(column_start_.begin(), column_start_.end() - 1);
  by_column_.resize(by_row_.size());
  for (EqId eq : ids<EqId>(num_eqs())) {
    for (const InRow& entry : row(eq)) by_column_[next[entry.var.index()]++] = {eq, entry.order};
  }
}

EqId SignatureBuilder::add_equation(std::span<const SignatureMatrix::InRow> row) {
  const EqId eq(num_eqs_++);
  for (const auto& entry : row) entries_.push_back({eq, entry.var, entry.order});
  return eq;
}

}  // namespace hydae::structure
