// The analysis as a picture: the signature matrix with rows and columns in the order of solution,
// its transversal, offsets and blocks. Above a few hundred equations, entries become dots.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <hydae/analyze.h>
#include <hydae/error.h>

#include "base/printable.h"

namespace hydae {
namespace {

constexpr std::size_t kLargestPicture = 2000;  // equations; beyond, a picture says nothing
constexpr std::size_t kLargestWithText = 120;  // equations; beyond, entries are dots

class Picture {
 public:
  explicit Picture(const Analysis& analysis) : a_(analysis) { arrange(); }

  std::string make() {
    const double width = std::max(left_ + num_columns() * cell_ + 60, 7.0 * caption().size() + 20),
                 height = top_ + num_rows() * cell_ + 50;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width, height);
    draw_blocks();
    draw_entries();
    if (has_text_) draw_names();
    draw_caption(height);
    return out_ + "</svg>\n";
  }

 private:
  std::size_t num_rows() const { return rows_.size(); }
  std::size_t num_columns() const { return columns_.size(); }

  // Rows and columns in the order of solution, or as given where there are no blocks.
  void arrange() {
    for (const AnalyzedBlock& block : a_.blocks) {
      rows_.insert(rows_.end(), block.equations.begin(), block.equations.end());
      columns_.insert(columns_.end(), block.variables.begin(), block.variables.end());
    }
    if (a_.blocks.empty()) {
      rows_.resize(a_.equations.size());
      columns_.resize(a_.variables.size());
      std::iota(rows_.begin(), rows_.end(), 0);
      std::iota(columns_.begin(), columns_.end(), 0);
    }
    row_at_.resize(a_.equations.size());
    column_at_.resize(a_.variables.size());
    for (std::size_t k = 0; k < rows_.size(); ++k) row_at_[static_cast<std::size_t>(rows_[k])] = k;
    for (std::size_t k = 0; k < columns_.size(); ++k)
      column_at_[static_cast<std::size_t>(columns_[k])] = k;
    has_text_ = std::max(num_rows(), num_columns()) <= kLargestWithText;
    cell_ = has_text_ ? 26 : 4;
    left_ = has_text_ ? 30 + 7 * longest(a_.equations) : 20;
    top_ = has_text_ ? 40 + 7 * longest(a_.variables) : 30;
  }

  static double longest(const std::vector<std::string>& names) {
    std::size_t length = 4;
    for (const std::string& name : names) length = std::max(length, name.size());
    return static_cast<double>(std::min<std::size_t>(length, 40));
  }

  double x(std::size_t column) const { return left_ + static_cast<double>(column) * cell_; }
  double y(std::size_t row) const { return top_ + static_cast<double>(row) * cell_; }

  void draw_blocks() {
    static const char* const kColours[] = {"#dbe9f6", "#fde5c8", "#dcf0d8",
                                           "#eadcf2", "#f9dcdc", "#e4e4e4"};
    std::size_t at = 0;
    for (std::size_t b = 0; b < a_.blocks.size(); ++b) {
      const std::size_t size = a_.blocks[b].equations.size();
      out_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#777\"{}/>\n",
          x(at), y(at), static_cast<double>(size) * cell_, static_cast<double>(size) * cell_,
          kColours[b % std::size(kColours)],
          a_.blocks[b].quasilinear ? "" : " stroke-dasharray=\"4 2\"");
      at += size;
    }
  }

  bool is_on_transversal(const SignatureEntry& entry) const {
    return !a_.transversal.empty() &&
           a_.transversal[static_cast<std::size_t>(entry.equation)] == entry.variable;
  }

  bool is_in_jacobian(const SignatureEntry& entry) const {
    return !a_.c.empty() && a_.d[static_cast<std::size_t>(entry.variable)] -
                                    a_.c[static_cast<std::size_t>(entry.equation)] ==
                                entry.order;
  }

  void draw_entries() {
    for (const SignatureEntry& entry : a_.signature) {
      const double cx = x(column_at_[static_cast<std::size_t>(entry.variable)]) + cell_ / 2;
      const double cy = y(row_at_[static_cast<std::size_t>(entry.equation)]) + cell_ / 2;
      const bool on = is_on_transversal(entry);
      const char* colour = on ? "#c00000" : is_in_jacobian(entry) ? "black" : "#9a9a9a";
      if (!has_text_) {
        out_ +=
            fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"1.6\" fill=\"{}\"/>\n", cx, cy, colour);
        continue;
      }
      if (on)
        out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"10\" fill=\"none\" stroke=\"{}\"/>\n",
                            cx, cy, colour);
      out_ += fmt::format(
          "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{}\"{}>{}</text>\n", cx, cy + 4,
          colour, is_in_jacobian(entry) ? " font-weight=\"bold\"" : "", entry.order);
    }
  }

  void draw_names() {
    const bool has_offsets = !a_.c.empty();
    for (std::size_t k = 0; k < num_rows(); ++k) {
      const auto i = static_cast<std::size_t>(rows_[k]);
      const double at = y(k) + cell_ / 2 + 4;
      out_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left_ - 8, at,
                          xml_text(a_.equations[i]));
      if (has_offsets)
        out_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#00509e\">{}</text>\n",
                            x(num_columns()) + 10, at, a_.c[i]);
    }
    for (std::size_t k = 0; k < num_columns(); ++k) {
      const auto j = static_cast<std::size_t>(columns_[k]);
      const double at = x(k) + cell_ / 2 + 4;
      out_ += fmt::format("<text transform=\"translate({},{}) rotate(-90)\">{}</text>\n", at,
                          top_ - 8, xml_text(a_.variables[j]));
      if (has_offsets)
        out_ += fmt::format(
            "<text x=\"{}\" y=\"{}\" fill=\"#00509e\" text-anchor=\"middle\">{}</text>\n", at - 4,
            y(num_rows()) + 18, a_.d[j]);
    }
    if (has_offsets) {
      out_ +=
          fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#00509e\" font-style=\"italic\">c</text>\n",
                      x(num_columns()) + 10, top_ - 8);
      out_ += fmt::format(
          "<text x=\"{}\" y=\"{}\" fill=\"#00509e\" font-style=\"italic\" "
          "text-anchor=\"end\">d</text>\n",
          left_ - 8, y(num_rows()) + 18);
    }
  }

  std::string caption() const {
    if (!a_.well_posed) return fmt::format("{}: ill-posed", a_.model);
    return fmt::format("{}: index {}, {} degrees of freedom", a_.model, a_.index,
                       a_.degrees_of_freedom);
  }

  void draw_caption(double height) {
    out_ += fmt::format("<text x=\"10\" y=\"{}\">{}</text>\n", height - 10, xml_text(caption()));
  }

  const Analysis& a_;
  std::vector<int> rows_, columns_;
  std::vector<std::size_t> row_at_, column_at_;
  bool has_text_ = true;
  double cell_ = 26, left_ = 0, top_ = 0;
  std::string out_;
};

}  // namespace

std::string to_svg(const Analysis& analysis) {
  if (std::max(analysis.equations.size(), analysis.variables.size()) > kLargestPicture)
    throw UsageError(
        fmt::format("a picture of {} equations would show nothing; at most {} are drawn",
                    analysis.equations.size(), kLargestPicture));
  return Picture(analysis).make();
}

}  // namespace hydae
