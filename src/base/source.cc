#include <algorithm>
#include <fmt/format.h>

#include <hydae/source.h>

namespace hydae {

SourceId SourceSet::add(std::string name, std::string text) {
  sources_.push_back({std::move(name), std::move(text), {}});
  return SourceId(sources_.size() - 1);
}

std::string_view SourceSet::text(SourceRange range) const {
  const std::string_view whole = text(range.source);
  const std::size_t begin = std::min<std::size_t>(range.begin, whole.size());
  return whole.substr(begin, range.end > begin ? range.end - begin : 0);
}

const std::vector<std::uint32_t>& SourceSet::line_starts(const Source& source) const {
  if (source.line_starts.empty()) {
    source.line_starts.push_back(0);
    for (std::size_t i = 0; i < source.text.size(); ++i)
      if (source.text[i] == '\n') source.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return source.line_starts;
}

LineColumn SourceSet::locate(SourceId id, std::uint32_t offset) const {
  const Source& source = sources_[id.index()];
  offset = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(source.text.size()));
  const auto& starts = line_starts(source);
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const std::uint32_t start = *(next - 1);
  const auto is_lead_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const auto column =
      std::count_if(source.text.begin() + start, source.text.begin() + offset, is_lead_byte);
  return {static_cast<int>(next - starts.begin()), static_cast<int>(column) + 1};
}

std::string_view SourceSet::line_text(SourceId id, std::uint32_t offset) const {
  const std::string_view whole = text(id);
  const std::size_t at = std::min<std::size_t>(offset, whole.size());
  const std::size_t before = at == 0 ? std::string_view::npos : whole.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::string_view line = whole.substr(begin, whole.find('\n', at) - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string SourceSet::place(SourceRange range) const {
  if (!range.is_valid()) return "";
  const LineColumn at = locate(range.source, range.begin);
  return fmt::format("{}:{}:{}", name(range.source), at.line, at.column);
}

}  // namespace hydae
