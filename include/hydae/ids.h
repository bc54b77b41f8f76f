// Strong integer ids: an equation index must not compile where a variable index is meant.
// `Id<Tag>` is a 32-bit index; `IdVector<I, T>` is a vector indexed by one kind of id.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

template <class Tag>
class Id {
 public:
  using Index = std::uint32_t;

  constexpr Id() = default;  // no element
  constexpr explicit Id(std::size_t index) : index_(static_cast<Index>(index)) {}

  constexpr Index index() const { return index_; }
  constexpr bool is_valid() const { return index_ != kNone; }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  static constexpr Index kNone = std::numeric_limits<Index>::max();
  Index index_ = kNone;
};

using NodeId = Id<struct NodeTag>;          // node of an expression graph
using VarId = Id<struct VarTag>;            // variable of a model, column of its structure
using EqId = Id<struct EqTag>;              // equation of a model, row of its structure
using ParamId = Id<struct ParamTag>;        // parameter of a model
using FunctionId = Id<struct FunctionTag>;  // external function of a model
using BlockId = Id<struct BlockTag>;        // diagonal block of a block triangular form
using SourceId = Id<struct SourceTag>;      // text of a SourceSet

template <class I, class T>
class IdVector {
 public:
  using value_type = T;

  IdVector() = default;
  explicit IdVector(std::size_t size, const T& value = T()) : items_(size, value) {}
  explicit IdVector(std::vector<T> items) : items_(std::move(items)) {}

  decltype(auto) operator[](I id) { return items_[id.index()]; }
  decltype(auto) operator[](I id) const { return items_[id.index()]; }

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  I push_back(T item) {
    items_.push_back(std::move(item));
    return I(items_.size() - 1);
  }
  void resize(std::size_t size, const T& value = T()) { items_.resize(size, value); }
  void assign(std::size_t size, const T& value) { items_.assign(size, value); }
  void reserve(std::size_t size) { items_.reserve(size); }
  void clear() { items_.clear(); }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  const std::vector<T>& raw() const { return items_; }
  bool operator==(const IdVector&) const = default;

 private:
  std::vector<T> items_;
};

// All ids below `count`, for range-for: `for (EqId i : ids<EqId>(n))`.
template <class I>
class IdRange {
 public:
  explicit IdRange(std::size_t count) : count_(count) {}
  struct Iterator {
    std::size_t index;
    I operator*() const { return I(index); }
    Iterator& operator++() {
      ++index;
      return *this;
    }
    bool operator==(const Iterator&) const = default;
  };
  Iterator begin() const { return {0}; }
  Iterator end() const { return {count_}; }

 private:
  std::size_t count_;
};

template <class I>
IdRange<I> ids(std::size_t count) {
  return IdRange<I>(count);
}

}  // namespace hydae

template <class Tag>
struct std::hash<hydae::Id<Tag>> {
  std::size_t operator()(hydae::Id<Tag> id) const noexcept { return id.index(); }
};
