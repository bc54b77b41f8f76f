// Options that may be given several times.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hydae::tool {

// One word each time: without the last line CLI11 also takes the words behind it, so that
// `--path DIR INPUT --stop 1` would have no INPUT.
inline CLI::Option* repeatable(CLI::Option* option, const std::string& type) {
  return option->type_name(type)->take_all()->expected(1)->allow_extra_args(false);
}

}  // namespace hydae::tool
