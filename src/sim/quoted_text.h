// How long the text of an expression may be inside of a sentence. Texts repeat what graphs share,
// so the whole of one may not fit into memory.
#pragma once

#include <cstddef>

namespace hydae {

inline constexpr std::size_t kTextInMessage = 200;

}  // namespace hydae
