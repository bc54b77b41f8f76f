// The signature matrix of a DAE, sparse: entry (i, j) is the highest order of derivative of
// variable j in equation i; no entry means that the variable does not occur. Rows and columns are
// both at hand, sorted. Every algorithm of this module works on one; those that need only a pattern
// ignore the orders. The matrix may be rectangular. (Pryce 2001, "A simple structural analysis
// method for DAEs".)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <hydae/ids.h>

namespace hydae::structure {

struct SignatureEntry {
  EqId eq;
  VarId var;
  int order = 0;
  bool operator==(const SignatureEntry&) const = default;
};

class SignatureMatrix {
 public:
  struct InRow {
    VarId var;
    int order = 0;
    bool operator==(const InRow&) const = default;
  };
  struct InColumn {
    EqId eq;
    int order = 0;
    bool operator==(const InColumn&) const = default;
  };

  // The sum over all equations of their highest order must not exceed this: every offset then fits
  // an `int` with room to spare.
  static constexpr int kMaxOrderSum = 1 << 30;

  SignatureMatrix() = default;
  // Entries in any order; of several for one place the highest order counts. Throws UsageError for
  // an id out of range, a negative order, or orders beyond kMaxOrderSum.
  SignatureMatrix(std::size_t num_eqs, std::size_t num_vars,
                  std::span<const SignatureEntry> entries);

  std::size_t num_eqs() const { return row_start_.size() - 1; }
  std::size_t num_vars() const { return column_start_.size() - 1; }
  std::size_t num_entries() const { return by_row_.size(); }
  bool is_square() const { return num_eqs() == num_vars(); }

  std::span<const InRow> row(EqId eq) const {
    return {by_row_.data() + row_start_[eq.index()], by_row_.data() + row_start_[eq.index() + 1]};
  }
  std::span<const InColumn> column(VarId var) const {
    return {by_column_.data() + column_start_[var.index()],
            by_column_.data() + column_start_[var.index() + 1]};
  }
  std::optional<int> find_order(EqId eq, VarId var) const;

  // Row k is row eqs[k] of this matrix, column k is column vars[k]; no id twice. With all ids in
  // another order it is a permuted copy.
  SignatureMatrix submatrix(std::span<const EqId> eqs, std::span<const VarId> vars) const;
  SignatureMatrix transposed() const;

  // The same shape with only the entries for which keep(EqId, InRow) is true.
  template <class Keep>
  SignatureMatrix filtered(Keep keep) const;

  bool operator==(const SignatureMatrix&) const = default;

 private:
  void build_columns(std::size_t num_vars);

  std::vector<std::size_t> row_start_ = {0};
  std::vector<InRow> by_row_;
  std::vector<std::size_t> column_start_ = {0};
  std::vector<InColumn> by_column_;
};

// Collects a signature matrix equation by equation.
class SignatureBuilder {
 public:
  explicit SignatureBuilder(std::size_t num_vars) : num_vars_(num_vars) {}

  EqId add_equation(std::span<const SignatureMatrix::InRow> row);
  SignatureMatrix build() const { return SignatureMatrix(num_eqs_, num_vars_, entries_); }

 private:
  std::size_t num_eqs_ = 0;
  std::size_t num_vars_;
  std::vector<SignatureEntry> entries_;
};

template <class Keep>
SignatureMatrix SignatureMatrix::filtered(Keep keep) const {
  SignatureMatrix kept;
  kept.row_start_.reserve(row_start_.size());
  for (EqId eq : ids<EqId>(num_eqs())) {
    for (const InRow& entry : row(eq)) {
      if (keep(eq, entry)) kept.by_row_.push_back(entry);
    }
    kept.row_start_.push_back(kept.by_row_.size());
  }
  kept.build_columns(num_vars());
  return kept;
}

}  // namespace hydae::structure
