#include "modelica/classes/syntax_files.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "base/timer.h"
#include "syntax/parser.h"

namespace hydae::modelica {

const syntax::SyntaxFile& SyntaxFiles::parse(const std::string& name, std::string text) {
  const Timer timer;
  const SourceId source = sources_->add(name, std::move(text));
  const syntax::SyntaxFile& file = files_.emplace_back(syntax::parse(*sources_, source, symbols_));
  diagnostics_.append(file.diagnostics);
  parse_seconds_ += timer.seconds();
  return file;
}

const syntax::SyntaxFile* SyntaxFiles::read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in) {
    diagnostics_.error("file-not-readable", fmt::format("cannot read `{}`", file.string()));
    return nullptr;
  }
  return &parse(file.string(), std::move(text));
}

}  // namespace hydae::modelica
