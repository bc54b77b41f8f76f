// HYDAE_CHECK(condition): an invariant of our own code. On failure throws InternalError that names
// the condition and its place. Not for input of the user.
#pragma once

namespace hydae {

[[noreturn]] void fail_check(const char* condition, const char* file, int line);

}  // namespace hydae

#define HYDAE_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::hydae::fail_check(#condition, __FILE__, __LINE__))
