// Lists of names on the command line.
#pragma once

#include <string>
#include <vector>

namespace hydae::tool {

// "a,b[1,2],der(x,2)" is a, b[1,2] and der(x,2): commas inside of brackets belong to a name, also
// inside of 'quoted, identifiers'. Empty parts are left out.
std::vector<std::string> split_names(const std::string& list);

}  // namespace hydae::tool
