// Memory of one syntax tree: nodes are made one after another and all released together. Nodes need
// no destructor, so a tree of any depth is dropped without a walk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"

namespace hydae::syntax {

// A sequence that never changes, in an arena; one pointer wide. Empty if default-constructed.
template <class T>
class List {
 public:
  using value_type = T;

  List() = default;
  std::size_t size() const { return first_ == nullptr ? 0 : header()->size; }
  bool empty() const { return first_ == nullptr; }
  const T* begin() const { return first_; }
  const T* end() const { return first_ + size(); }
  // How long a list is depends on the text that was read: no access relies on it.
  const T& operator[](std::size_t i) const {
    HYDAE_CHECK(i < size());
    return first_[i];
  }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[size() - 1]; }
  operator std::span<const T>() const { return {first_, size()}; }

 private:
  friend class Arena;
  struct Header {
    std::size_t size;
  };
  const Header* header() const { return reinterpret_cast<const Header*>(first_) - 1; }

  const T* first_ = nullptr;
};

class Arena {
 public:
  template <class T>
  T* make() {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    return new (allocate(sizeof(T))) T();
  }

  template <class T>
  List<T> list(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
    using Header = typename List<T>::Header;
    List<T> out;
    if (items.empty()) return out;
    void* memory = allocate(sizeof(Header) + items.size_bytes());
    T* first = reinterpret_cast<T*>(new (memory) Header{items.size()} + 1);
    std::uninitialized_copy(items.begin(), items.end(), first);
    out.first_ = first;
    return out;
  }

  // Bytes taken from the system.
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kAlignment = 8;
  static constexpr std::size_t kSmallestChunk = 4096, kLargestChunk = std::size_t{1} << 18;

  void* allocate(std::size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > static_cast<std::size_t>(end_ - next_)) add_chunk(bytes);
    return std::exchange(next_, next_ + bytes);
  }
  void add_chunk(std::size_t at_least) {
    const std::size_t grown = std::clamp(size_ / 4, kSmallestChunk, kLargestChunk);
    const std::size_t bytes = std::max(at_least, grown);
    next_ = chunks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes)).get();
    end_ = next_ + bytes;
    size_ += bytes;
  }

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hydae::syntax
