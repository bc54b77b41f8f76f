// What is wrong with a user's model, said once and shown well: severity, a stable name in brackets,
// the place, and help. Library code collects diagnostics; only the tool prints them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hydae/export.h>
#include <hydae/source.h>

namespace HYDAE_EXPORT hydae {

enum class Severity { kNote, kWarning, kError };

struct DiagnosticNote {
  std::string message;
  SourceRange range;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;     // stable name, e.g. "unbalanced-model"
  std::string message;  // lower case, no full stop, the user's own names in backquotes
  SourceRange range;    // where; not valid for models built in C++
  std::string label;    // said under the marked source text
  std::vector<DiagnosticNote> notes;
  std::string help;  // advice; empty if there is none
};

class Diagnostics {
 public:
  Diagnostic& add(Diagnostic diagnostic);
  Diagnostic& error(std::string code, std::string message, SourceRange range = {});
  Diagnostic& warning(std::string code, std::string message, SourceRange range = {});
  void append(const Diagnostics& other);

  std::span<const Diagnostic> items() const { return items_; }
  bool empty() const { return items_.empty(); }
  bool has_errors() const;
  std::size_t num_errors() const;

 private:
  std::vector<Diagnostic> items_;
};

// As a person wants to read it: place, severity, message, [code], the marked line, notes, help.
std::string render(const Diagnostic& diagnostic, const SourceSet* sources = nullptr);
std::string render(const Diagnostics& diagnostics, const SourceSet* sources = nullptr);

// `text` with backquotes around it, as messages name things of the user.
std::string quoted(std::string_view text);
// "`a`, `b` and 3 more": at most `most` names.
std::string quoted_list(std::span<const std::string> names, std::size_t most = 8);
// Names of `candidates` that a mistyped `name` probably meant, best first, at most three.
std::vector<std::string> nearest_names(std::string_view name,
                                       std::span<const std::string> candidates);

}  // namespace hydae
