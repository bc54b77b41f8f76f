// For tests: load a text, and say what determines a variable of the result.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include <hydae/modelica.h>

namespace hydae {

// The model of `text`; a test failure with the diagnostics if there is none.
Model load_ok(const std::string& text, const std::string& class_name = "");

// Codes of the errors, joined by blanks.
std::string error_codes(const LoadResult& result);
std::string error_codes(const std::string& text);
std::string warning_codes(const LoadResult& result);

// What `name` is equal to: the value or binding of a parameter, the other side of the equation
// whose one side is the variable, the variable it is an alias of; "?" if nothing simple determines
// it.
std::string definition(const Model& model, const std::string& name);

// The value of the right side that determines `name`, at a point of time; nan if none does.
double value_at(const Model& model, const std::string& name, double time);

}  // namespace hydae
