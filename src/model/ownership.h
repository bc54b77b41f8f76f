// Expressions that are handed to a model: they must be of its graph, or numbers.
#pragma once

#include <string>

#include <hydae/model_content.h>

namespace hydae {

// The expression as a node of this model's graph. `where`: for the message, where it is not.
Expr own(const ModelContent& model, const Expr& expr, const std::string& where);
// The same for a value that must be known before the simulation starts.
Expr own_value(const ModelContent& model, const Expr& expr, const std::string& where);
// A variable, or a derivative of one.
Leaf leaf_of(const ModelContent& model, const Expr& expr, const std::string& where);

}  // namespace hydae
