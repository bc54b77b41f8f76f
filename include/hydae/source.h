// Source text and places in it. Every variable and equation of a model keeps the range it was
// written in, so that a message can show the line. A model built in C++ has no ranges.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <hydae/export.h>
#include <hydae/ids.h>

namespace HYDAE_EXPORT hydae {

// Bytes [begin, end) of one source text.
struct SourceRange {
  SourceId source;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool is_valid() const { return source.is_valid(); }
  bool operator==(const SourceRange&) const = default;
};

// 1-based line and column; the column counts UTF-8 code points.
struct LineColumn {
  int line = 0;
  int column = 0;
};

// The texts of one workspace. Texts are only added, never changed or moved: a view of one is valid
// as long as the set.
class SourceSet {
 public:
  SourceId add(std::string name, std::string text);

  std::size_t size() const { return sources_.size(); }
  const std::string& name(SourceId id) const { return sources_[id.index()].name; }
  std::string_view text(SourceId id) const { return sources_[id.index()].text; }
  std::string_view text(SourceRange range) const;

  LineColumn locate(SourceId id, std::uint32_t offset) const;
  // The whole line that contains `offset`, without its line break.
  std::string_view line_text(SourceId id, std::uint32_t offset) const;
  // "tank.mo:14:3", or "" for a range that is not valid.
  std::string place(SourceRange range) const;

 private:
  struct Source {
    std::string name;
    std::string text;
    mutable std::vector<std::uint32_t> line_starts;  // made when first asked
  };
  const std::vector<std::uint32_t>& line_starts(const Source& source) const;

  std::deque<Source> sources_;
};

}  // namespace hydae
