// The files and texts that were read, as syntax trees, with what is wrong in them.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>

#include <hydae/diagnostic.h>
#include <hydae/source.h>

#include "syntax/symbol.h"
#include "syntax/tree.h"

namespace hydae::modelica {

class SyntaxFiles {
 public:
  syntax::SymbolTable& symbols() { return symbols_; }
  const syntax::SymbolTable& symbols() const { return symbols_; }
  const std::shared_ptr<SourceSet>& sources() const { return sources_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  double parse_seconds() const { return parse_seconds_; }

  const syntax::SyntaxFile& parse(const std::string& name, std::string text);
  // Null, after a message, if it cannot be read.
  const syntax::SyntaxFile* read(const std::filesystem::path& file);

 private:
  syntax::SymbolTable symbols_;
  std::shared_ptr<SourceSet> sources_ = std::make_shared<SourceSet>();
  Diagnostics diagnostics_;
  double parse_seconds_ = 0;
  std::deque<syntax::SyntaxFile> files_;
};

}  // namespace hydae::modelica
