// Start values, bounds and nominal values as numbers.
#pragma once

#include <optional>
#include <vector>

#include <hydae/model.h>

namespace hydae {

// The number that an expression of parameters has; none if it depends on more than parameters or is
// undefined.
std::optional<double> number_of(const Model& model, const Expr& expr,
                                const std::vector<double>& parameters);

// Throws ModelError [empty-range] if min is larger than max with the values of the parameters. What
// several equal variables say together is not judged.
void require_ranges(const Model& model);

// The start value given for a variable or derivative; none if there is none.
std::optional<double> start_value(const Model& model, Leaf leaf,
                                  const std::vector<double>& parameters);

}  // namespace hydae
