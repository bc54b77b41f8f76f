// Replaces the allocation of this test program by one that counts, so that a test can say that a
// computation allocates nothing.
#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> num_allocations = 0;
}

void* operator new(std::size_t size) {
  ++num_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hydae {

long count_allocations();
long count_allocations() { return num_allocations; }

}  // namespace hydae
