// Replaces the global operator new of a program by one that counts, so that a test can say that a
// computation allocates nothing. To be included by one source file of a test program.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace hydae {

inline std::atomic<long> num_allocations = 0;

inline void* try_to_allocate(std::size_t size) noexcept {
  ++num_allocations;
  return std::malloc(size == 0 ? 1 : size);
}

inline void* allocate_and_count(std::size_t size) {
  if (void* memory = try_to_allocate(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace hydae

[[gnu::noinline]] void* operator new(std::size_t size) { return hydae::allocate_and_count(size); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return hydae::allocate_and_count(size); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return hydae::try_to_allocate(size);
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return hydae::try_to_allocate(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
