#include "syntax/parser.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "syntax/class_parser.h"
#include "syntax/lexer.h"

namespace hydae::syntax {

namespace {

// Messages of lexer and parser in the order of the text.
Diagnostics sorted(const Diagnostics& diagnostics) {
  std::vector<Diagnostic> items(diagnostics.items().begin(), diagnostics.items().end());
  std::stable_sort(items.begin(), items.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.range.begin < b.range.begin;
  });
  Diagnostics out;
  for (Diagnostic& item : items) out.add(std::move(item));
  return out;
}

}  // namespace

SyntaxFile parse(const SourceSet& sources, SourceId source, SymbolTable& symbols) {
  SyntaxFile file;
  file.source = source;
  const std::string_view text = sources.text(source);
  Cursor cursor({text, source, lex(text, source, symbols, file.diagnostics)}, symbols, file.arena,
                file.diagnostics);
  ClassParser parser(cursor);
  file.has_within = cursor.at(TokenKind::kWithin);
  if (file.has_within) file.within = parser.within();
  file.classes = run(parser.classes());
  if (!file.diagnostics.empty()) file.diagnostics = sorted(file.diagnostics);
  return file;
}

std::vector<SyntaxFile> parse_all(const SourceSet& sources, std::span<const SourceId> ids,
                                  SymbolTable& symbols) {
  std::vector<SyntaxFile> files(ids.size());
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::exception_ptr> failures(std::min(cores, ids.size()));
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::exception_ptr& failure) {
    try {
      for (std::size_t i = next++; i < ids.size(); i = next++)
        files[i] = parse(sources, ids[i], symbols);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < failures.size(); ++i)
      threads.emplace_back([&, i] { work(failures[i]); });
    if (!failures.empty()) work(failures[0]);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return files;
}

}  // namespace hydae::syntax
