// Replaces the global operator new of a program by one that counts, so that a test can say that a
// computation allocates nothing. To be included by one source file of a test program.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace hydae {

inline std::atomic<long> num_allocations = 0;

inline void* allocate_and_count(std::size_t size) {
  ++num_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace hydae

[[gnu::noinline]] void* operator new(std::size_t size) { return hydae::allocate_and_count(size); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return hydae::allocate_and_count(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
