// Where the project lies: tests read models and golden files from there.
#pragma once

namespace hydae {

const char* source_dir();

}  // namespace hydae
