#include "syntax/tree.h"

namespace hydae::syntax {

std::string description_text(const Comment& comment) {
  std::string text;
  for (const StringExpr* part : comment.description) text += string_value(*part);
  return text;
}

}  // namespace hydae::syntax
