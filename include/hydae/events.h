// Module: model
// What happens at events, for models that are written in C++:
//
//     Expr h = m.variable("h"), v = m.variable("v"), bounces = integer(m, "bounces", 0);
//     m.when(when({h < 0}, {reinit(v, -0.8 * pre(v)), assign(bounces, pre(bounces) + 1)}));
#pragma once

#include <string>
#include <vector>

#include <hydae/export.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

// When one of the conditions becomes true then `actions`. More branches can be added: elsewhen.
WhenClause when(std::vector<Expr> conditions, std::vector<WhenAction> actions);
WhenAction assign(const Expr& target, const Expr& value);  // of a discrete variable
WhenAction reinit(const Expr& target, const Expr& value);  // of a continuous one
WhenAction impact_law(const Equality& equality);           // between right limits and pre() values
WhenAction impulse(const Expr& target);  // what carries the impulse of the impact law
WhenAction terminate(std::string message);

// A Boolean, Integer or Real that changes at events only; it starts with `value`.
Expr boolean(Model& model, const std::string& name, bool value);
Expr integer(Model& model, const std::string& name, int value);
Expr discrete(Model& model, const std::string& name, double value);

}  // namespace hydae
