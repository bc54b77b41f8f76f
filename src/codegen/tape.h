// Elementary operations of a model for one mode: the input of the Taylor engine. A `TapeBuilder`
// holds a hash-consed list of terms; every term is a constant, a parameter, time, a derivative of a
// variable or an operation on earlier terms. Switches are resolved before: abs and select have a
// fixed side.
//
// Parameters stay symbolic: their values are read from a table at run time, so that a change of a
// parameter needs no new program. What depends on parameters alone is computed once per change.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <hydae/ids.h>
#include <hydae/op.h>

#include "codegen/black_box.h"

namespace hydae::codegen {

using TermId = Id<struct TermTag>;

// `op` is kConstant, kParameter, kTime, kVariable, kAdd, kMul, kDiv, kPow, a function of ops/, or
// kCall.
struct Term {
  Op op = Op::kConstant;
  TermId a = {}, b = {};  // operands; invalid if unused
  double value = 0;       // kConstant
  int index = 0;          // kParameter, kVariable, kCall
  int order = 0;          // kVariable, kCall
  int tag = -1;           // what the term was made for, see TapeBuilder::set_tag
};

// One application of code to arguments; its outputs are terms.
struct TapeCall {
  int code = 0;
  std::vector<TermId> arguments;
};

class TapeBuilder {
 public:
  TermId constant(double value);
  TermId parameter(int index);
  TermId time();
  TermId variable(int index, int order = 0);  // x_index^(order)

  TermId add(TermId a, TermId b);
  TermId sub(TermId a, TermId b);
  TermId neg(TermId a);
  TermId mul(TermId a, TermId b);
  TermId div(TermId a, TermId b);
  TermId pow(TermId base, TermId exponent);
  TermId pow(TermId base, double exponent);
  TermId atan2(TermId y, TermId x);
  TermId unary(Op function, TermId a);     // of one operand
  TermId abs(TermId a, bool is_negative);  // |a| where the sign of a is known: -a or a

  int add_code(BlackBox code);  // returns its number
  TermId call(int code, std::vector<TermId> arguments, int output);

  // Terms made from now on carry `tag`. A failure in a term reports its tag: the number of an
  // expression node or of an equation, as the caller likes. A term met again keeps its first tag.
  void set_tag(int tag) { tag_ = tag; }

  std::size_t size() const { return terms_.size(); }
  const Term& term(TermId id) const { return terms_[id]; }
  bool is_constant(TermId id) const { return terms_[id].op == Op::kConstant; }
  double value(TermId id) const { return terms_[id].value; }
  const std::vector<BlackBox>& codes() const { return codes_; }
  const std::vector<TapeCall>& calls() const { return calls_; }

 private:
  TermId make(Term term);

  struct TermHash {
    std::size_t operator()(const Term& term) const;
  };
  struct SameTerm {
    bool operator()(const Term& x, const Term& y) const;
  };

  IdVector<TermId, Term> terms_;
  std::unordered_map<Term, TermId, TermHash, SameTerm> known_;
  std::vector<BlackBox> codes_;
  std::vector<TapeCall> calls_;
  std::map<std::pair<int, std::vector<TermId>>, int> known_calls_;
  int tag_ = -1;
};

}  // namespace hydae::codegen
