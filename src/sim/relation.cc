#include "sim/hybrid_model.h"

namespace hydae {

int Relation::held_sign(bool bit) const {
  const bool is_greater = op == Op::kGreater || op == Op::kGreaterEqual;
  return bit == is_greater ? 1 : -1;
}

bool Relation::truth(int sign) const {
  if (sign == 0) return op == Op::kGreaterEqual || op == Op::kLessEqual || op == Op::kEqual;
  switch (op) {
    case Op::kGreater:
    case Op::kGreaterEqual: return sign > 0;
    case Op::kLess:
    case Op::kLessEqual: return sign < 0;
    case Op::kNotEqual: return true;
    default: return false;
  }
}

}  // namespace hydae
