#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <hydae/diagnostic.h>

namespace hydae {

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  return items_.emplace_back(std::move(diagnostic));
}

Diagnostic& Diagnostics::error(std::string code, std::string message, SourceRange range) {
  return add({Severity::kError, std::move(code), std::move(message), range, {}, {}, {}});
}

Diagnostic& Diagnostics::warning(std::string code, std::string message, SourceRange range) {
  return add({Severity::kWarning, std::move(code), std::move(message), range, {}, {}, {}});
}

void Diagnostics::append(const Diagnostics& other) {
  items_.insert(items_.end(), other.items_.begin(), other.items_.end());
}

std::size_t Diagnostics::num_errors() const {
  return static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [](const auto& d) { return d.severity == Severity::kError; }));
}

bool Diagnostics::has_errors() const { return num_errors() > 0; }

namespace {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::kNote: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "";
}

constexpr std::size_t kLongestShownLine = 160;

// The source line with the range marked by ^^^ and the label behind the marks.
std::string marked_line(SourceRange range, const std::string& label, const SourceSet& sources) {
  const LineColumn at = sources.locate(range.source, range.begin);
  const std::string_view line = sources.line_text(range.source, range.begin);
  if (line.size() > kLongestShownLine) return label.empty() ? "" : fmt::format("   {}\n", label);
  const std::size_t before = static_cast<std::size_t>(at.column) - 1;
  const LineColumn last = sources.locate(range.source, range.end);
  const std::size_t width = last.line == at.line && last.column > at.column
                                ? static_cast<std::size_t>(last.column - at.column)
                                : 1;
  return fmt::format("{:>5} | {}\n{:>5} | {}{}{}{}\n", at.line, line, "", std::string(before, ' '),
                     std::string(width, '^'), label.empty() ? "" : " ", label);
}

bool has_text(SourceRange range, const SourceSet* sources) {
  return sources != nullptr && range.is_valid() && range.source.index() < sources->size();
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const SourceSet* sources) {
  std::string out;
  const bool located = has_text(diagnostic.range, sources);
  if (located) out += sources->place(diagnostic.range) + ": ";
  out += fmt::format("{}: {}", severity_name(diagnostic.severity), diagnostic.message);
  if (!diagnostic.code.empty()) out += fmt::format(" [{}]", diagnostic.code);
  out += '\n';
  if (located)
    out += marked_line(diagnostic.range, diagnostic.label, *sources);
  else if (!diagnostic.label.empty())
    out += fmt::format("   {}\n", diagnostic.label);
  for (const DiagnosticNote& note : diagnostic.notes) {
    out += has_text(note.range, sources)
               ? fmt::format("   note: {} ({})\n", note.message, sources->place(note.range))
               : fmt::format("   note: {}\n", note.message);
  }
  if (!diagnostic.help.empty()) out += fmt::format("   help: {}\n", diagnostic.help);
  return out;
}

std::string render(const Diagnostics& diagnostics, const SourceSet* sources) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.items()) out += render(diagnostic, sources);
  return out;
}

std::string quoted(std::string_view text) { return fmt::format("`{}`", text); }

namespace {

// An expression may be as long as a page; its beginning tells which one is meant.
std::string shortened(const std::string& text) {
  constexpr std::size_t kLongest = 160;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + " ...";
}

}  // namespace

std::string quoted_list(std::span<const std::string> names, std::size_t most) {
  // One more than `most` is shown rather than "and 1 more".
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += quoted(shortened(names[i]));
  }
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

namespace {

char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edits in bytes that turn `a` into `b`: insertions, deletions, substitutions, and swaps of
// neighbours, which are the most common slip (Damerau 1964; optimal string alignment). Capital
// letters are no other letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), last = row, before_last = row;
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1), last[j] + 1,
                         row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name,
                                       std::span<const std::string> candidates) {
  constexpr std::size_t kLongest = 200, kMost = 3;
  if (name.size() > kLongest) return {};
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    const std::size_t shorter = std::min(candidate.size(), name.size());
    if (std::max(candidate.size(), name.size()) - shorter > limit) continue;
    const std::size_t distance = edit_distance(name, candidate);
    // What has no letter in common is not meant.
    if (distance <= limit && distance < std::max(candidate.size(), name.size()))
      near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  if (near.size() > kMost) near.resize(kMost);
  std::vector<std::string> names;
  for (auto& [distance, candidate] : near) names.push_back(std::move(candidate));
  return names;
}

}  // namespace hydae
