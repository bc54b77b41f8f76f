// Text -> syntax tree. Reads all of Modelica 3.6; after an error it goes on, so that one run tells
// several. Needs stack space that does not depend on how deep the text is nested.
#pragma once

#include <span>
#include <vector>

#include <hydae/source.h>

#include "syntax/symbol.h"
#include "syntax/tree.h"

namespace hydae::syntax {

// The file `source` of `sources`; never throws on wrong text: see SyntaxFile::diagnostics.
SyntaxFile parse(const SourceSet& sources, SourceId source, SymbolTable& symbols);

// Several files at once, on as many threads as the machine has cores; in the order of `ids`.
std::vector<SyntaxFile> parse_all(const SourceSet& sources, std::span<const SourceId> ids,
                                  SymbolTable& symbols);

}  // namespace hydae::syntax
