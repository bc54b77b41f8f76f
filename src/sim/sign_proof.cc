#include "sim/sign_proof.h"

namespace hydae {
namespace {

// Parts are halved this often at most, and there are so many of them at most: a guard that needs
// more is said to be open there.
constexpr int kMostHalvingsOfProof = 30, kMostPartsOfProof = 4000;

}  // namespace

SignProof::Sign SignProof::sign_of(poly::Interval values) const {
  const poly::Interval held = question_.held_sign > 0 ? values : -values;
  return held.is_positive() ? Sign::kHeld : held.is_negative() ? Sign::kOther : Sign::kUnknown;
}

SignProof::Sign SignProof::sign_at(double place) {
  if (!(*enclose_)({place, 0, 0}, enclosure_)) return Sign::kUnknown;
  return sign_of(enclosure_.value);
}

SignProof::Result SignProof::prove(const Question& question, const Enclose& enclose) {
  question_ = question;
  enclose_ = &enclose;
  result_ = {Verdict::kKept, 0, question.until};
  num_parts_ = 0;
  if (!enclose({0, 0, 0}, enclosure_)) return {Verdict::kNothing, 0, question.until};
  look(0, question.until, 0);
  return result_;
}

// From left to right; what is shown to be kept so far ends at result_.begin.
void SignProof::look(double begin, double width, int depth) {
  if (result_.verdict != Verdict::kKept) return;
  ++num_parts_;
  if (is_settled(begin, width)) return;
  if (depth >= kMostHalvingsOfProof || num_parts_ >= kMostPartsOfProof) {
    result_ = {Verdict::kOpen, begin, begin + width};
    return;
  }
  look(begin, 0.5 * width, depth + 1);
  look(begin + 0.5 * width, 0.5 * width, depth + 1);
}

bool SignProof::is_settled(double begin, double width) {
  if (begin == 0 && is_settled_at_start(width)) {
    result_.begin = width;
    return true;
  }
  if (!(*enclose_)(EnclosedPart::about_middle(begin, width), enclosure_)) return false;
  switch (sign_of(enclosure_.range())) {
    case Sign::kHeld: result_.begin = begin + width; return true;
    case Sign::kOther:
      // From the start on: what was on its side before is not seen here.
      result_ = {Verdict::kLeft, result_.begin, begin + width};
      return true;
    case Sign::kUnknown: return is_settled_by_slope(begin, width);
  }
  return false;
}

// Where it rises or falls all the way, its ends say everything.
bool SignProof::is_settled_by_slope(double begin, double width) {
  const Sign towards = sign_of(enclosure_.slope());
  if (towards == Sign::kUnknown) return false;
  const Sign first = sign_at(begin), last = sign_at(begin + width);
  if (last == Sign::kHeld && first == Sign::kHeld) {
    result_.begin = begin + width;
    return true;
  }
  if (first != Sign::kHeld || last != Sign::kOther) return false;
  result_ = {Verdict::kLeft, begin, begin + width, true};
  return true;
}

// At an event the guard is zero, and what it is behind it is that without its known zeros. Where
// only errors are known of it, they may have put it on the other side.
bool SignProof::is_settled_at_start(double width) {
  if (!(*enclose_)(EnclosedPart::about_begin(0, width), enclosure_)) return false;
  const int zeros = question_.num_known_zeros;
  if (zeros > 0 && zeros + 1 < static_cast<int>(enclosure_.coefficients.size()) &&
      sign_of(enclosure_.range(zeros)) == Sign::kHeld)
    return true;
  if (sign_of(enclosure_.range()) == Sign::kHeld) return true;
  const bool starts_in_errors =
      sign_of(enclosure_.coefficients[0] +
              poly::Interval(question_.held_sign * question_.errors)) == Sign::kHeld;
  return starts_in_errors && question_.errors > 0 && sign_of(enclosure_.slope()) == Sign::kHeld &&
         enclosure_.coefficients[0].mignitude() <= question_.errors;
}

}  // namespace hydae
