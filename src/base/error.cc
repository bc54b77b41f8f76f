#include <fmt/format.h>

#include <hydae/error.h>

#include "base/check.h"

namespace hydae {

ModelError::ModelError(Diagnostics diagnostics)
    : Error(render(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void fail_check(const char* condition, const char* file, int line) {
  throw InternalError(
      fmt::format("internal error at {}:{}: {} does not hold", file, line, condition));
}

}  // namespace hydae
