// Start values by the names under which they were given: by the model, to a variable or to one that
// is equal to it (Variable::equal_starts), and by options, which replace what the model says of the
// same name. Of several that speak of one unknown a fixed one counts, then one of the options, then
// the one that the model has chosen; the others are compared with the point that is found.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hydae/initial_point.h>

namespace hydae {

struct GivenStart {
  std::string name;   // "y", "der(y)"
  Leaf leaf;          // that it speaks of
  double factor = 1;  // name = factor * leaf
  double value = 0;   // of the name
  bool is_fixed = false, is_of_options = false;

  double leaf_value() const { return factor * value; }
};

struct GivenStarts {
  std::map<Leaf, GivenStart> chosen;
  std::vector<GivenStart> others;  // in the order of the model, those of the options last
};

// Throws UsageError if the model does not have the name of an override.
GivenStarts collect_given_starts(const Model& model, const std::vector<double>& parameters,
                                 std::span<const StartOverride> overrides);

// What "x", "der(x)", "der(x,2)" speak of, x a variable or an alias.
struct NamedLeaf {
  Leaf leaf;
  double factor = 1;
};
std::optional<NamedLeaf> find_named_leaf(const Model& model, const std::string& name);
// "Boolean", "Integer", "Real", "one of `a` and `b`".
std::string name_of_values(const Variable& variable);

// Throws UsageError.
NamedLeaf require_named_leaf(const Model& model, const std::string& name);
// The same where the value is none of the kind of the variable.
NamedLeaf require_start(const Model& model, const StartOverride& start);

}  // namespace hydae
