// How names are written in a flat text.
#pragma once

#include <string>

namespace hydae::modelica {

// A path such as "engine.shaft.phi" is one quoted identifier.
std::string identifier(const std::string& path);

// Functions and variables share one space of names: a function `f` is written 'f()'.
std::string flat_function_name(const std::string& name);
// The name again; as it is if it was not written so.
std::string function_name_of(const std::string& written);

}  // namespace hydae::modelica
