// Which files a model may read: those below its own folder, its libraries and what the user allows.
// Links are followed first, so that none leads out of these folders.
#pragma once

#include <string>

#include "modelica/session.h"

namespace hydae::modelica {

// The path of a file that the model may read and that can be read to its end: no device, no pipe.
// Otherwise an error at `range`.
std::string readable_file(Session& session, const std::string& name, SourceRange range);

}  // namespace hydae::modelica
