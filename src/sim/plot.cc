// A trajectory as a gnuplot script. One plot for columns of one unit, stacked plots for several
// units; a legend beside the curves; colours that can be told apart, with dashes from the seventh
// curve on.
#include <fmt/format.h>
#include <map>

#include <hydae/trajectory.h>

namespace hydae {
namespace {

// Okabe and Ito's palette, which colour-blind people can tell apart.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73",
                                    "#CC79A7", "#E69F00", "#000000"};

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out;
}

std::string axis_label(const Column& axis) {
  return axis.unit.empty() ? axis.name : fmt::format("{} [{}]", axis.name, axis.unit);
}

using Groups = std::map<std::string, std::vector<std::size_t>>;

Groups columns_by_unit(const Trajectory& trajectory) {
  Groups groups;
  for (std::size_t k = 0; k < trajectory.columns().size(); ++k)
    groups[trajectory.columns()[k].unit].push_back(k);
  return groups;
}

void append_data(std::string& script, const Trajectory& trajectory) {
  script += "$data << END_OF_DATA\n";
  for (std::size_t r = 0; r < trajectory.num_rows(); ++r) {
    script += fmt::format("{}", trajectory.times()[r]);
    for (double value : trajectory.row(r)) script += fmt::format(" {}", value);
    script += '\n';
  }
  script += "END_OF_DATA\n";
}

std::string curves(const Trajectory& trajectory, const std::vector<std::size_t>& columns) {
  std::string script = "plot ";
  for (std::size_t n = 0; n < columns.size(); ++n) {
    script +=
        fmt::format("{}$data using 1:{} with lines lw 1.6 lc rgb '{}' dt {} title '{}'",
                    n == 0 ? "" : ", \\\n     ", columns[n] + 2, kColours[n % std::size(kColours)],
                    n / std::size(kColours) + 1, escaped(trajectory.columns()[columns[n]].name));
  }
  return script + "\n";
}

}  // namespace

std::string to_gnuplot(const Trajectory& trajectory, const PlotOptions& options,
                       const std::string& output_file) {
  const Groups groups = columns_by_unit(trajectory);
  const int height = options.height * static_cast<int>(groups.size() > 1 ? groups.size() : 1) /
                     (groups.size() > 2 ? 2 : 1);
  std::string script;
  append_data(script, trajectory);
  script += fmt::format(
      "set terminal {} size {},{} noenhanced background '#ffffff'\nset output '{}'\n",
      options.format == "png" ? "pngcairo" : "svg", options.width, height, escaped(output_file));
  script +=
      "set key outside right top noenhanced\nset grid lc rgb '#dddddd'\nset tics noenhanced\n";
  script += fmt::format("set xlabel '{}'\n", escaped(axis_label(trajectory.axis())));
  const std::string title = escaped(options.title);
  if (groups.size() > 1)
    script += fmt::format("set multiplot layout {},1 title '{}'\n", groups.size(), title);
  else
    script += fmt::format("set title '{}'\n", title);
  for (const auto& [unit, columns] : groups) {
    script +=
        fmt::format("set ylabel '{}'\n", unit.empty() ? "" : fmt::format("[{}]", escaped(unit)));
    script += curves(trajectory, columns);
  }
  if (groups.size() > 1) script += "unset multiplot\n";
  return script;
}

}  // namespace hydae
