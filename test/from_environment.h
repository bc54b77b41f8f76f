// Numbers of random cases and seeds that a longer run sets in the environment.
#pragma once

#include <cstdlib>

namespace hydae {

inline unsigned from_environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::atol(text));
}

}  // namespace hydae
