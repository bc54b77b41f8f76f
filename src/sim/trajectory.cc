#include <algorithm>
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/trajectory.h>

namespace hydae {

std::optional<std::size_t> Trajectory::find_column(std::string_view name) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Column& column) { return column.name == name; });
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

std::vector<double> Trajectory::series(std::string_view name) const {
  if (name == axis_.name) return times_;
  const std::optional<std::size_t> column = find_column(name);
  if (!column) throw UsageError(fmt::format("the trajectory has no `{}`", name));
  std::vector<double> values(num_rows());
  for (std::size_t r = 0; r < num_rows(); ++r) values[r] = value(r, *column);
  return values;
}

void Trajectory::add_row(double time, std::span<const double> values) {
  if (values.size() != columns_.size())
    throw UsageError(
        fmt::format("a row of {} values for {} columns", values.size(), columns_.size()));
  times_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
}

void Trajectory::reserve(std::size_t rows) {
  times_.reserve(rows);
  values_.reserve(rows * columns_.size());
}

namespace {

// * matches any text, ? one character. Linear in the text for each star: no backtracking beyond the
// last one.
bool matches(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++t, ++p;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

Trajectory Trajectory::selected(std::span<const std::string> patterns) const {
  std::vector<std::size_t> kept;
  std::vector<Column> columns;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const bool is_wanted = std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
      return matches(columns_[k].name, pattern);
    });
    if (!is_wanted) continue;
    kept.push_back(k);
    columns.push_back(columns_[k]);
  }
  Trajectory result(std::move(columns), axis_);
  std::vector<double> row_values(kept.size());
  for (std::size_t r = 0; r < num_rows(); ++r) {
    for (std::size_t k = 0; k < kept.size(); ++k) row_values[k] = value(r, kept[k]);
    result.add_row(times_[r], row_values);
  }
  return result;
}

}  // namespace hydae
