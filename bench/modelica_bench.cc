// From Modelica text to the flat model: CPU seconds and memory for circuits of growing size. Each
// section of the ladder is a resistor, a capacitor and an inductor with their own names, or an
// element of three component arrays.
#include <ctime>
#include <fmt/format.h>
#include <string>
#include <sys/resource.h>

#include <hydae/modelica.h>

namespace {

using namespace hydae;

const char* kLibrary = R"(
type Voltage = Real(unit = "V");
type Current = Real(unit = "A");
connector Pin Voltage v; flow Current i; end Pin;
partial model TwoPin Pin p, n; Voltage v; Current i;
equation v = p.v - n.v; i = p.i; 0 = p.i + n.i; end TwoPin;
model Resistor extends TwoPin; parameter Real R(unit = "Ohm") = 1; equation v = R*i; end Resistor;
model Capacitor extends TwoPin(v(start = 0, fixed = true)); parameter Real C(unit = "F") = 1;
equation i = C*der(v); end Capacitor;
model Inductor extends TwoPin(i(start = 0, fixed = true)); parameter Real L(unit = "H") = 1;
equation v = L*der(i); end Inductor;
model Source extends TwoPin; parameter Voltage V = 1; equation v = V; end Source;
model Ground Pin p; equation p.v = 0; end Ground;
)";

// A component per name, a connect per wire.
std::string named_ladder(int sections) {
  std::string declarations = "Source s; Ground g;\n";
  std::string equations = "connect(s.n, g.p); connect(s.p, r1.p);\n";
  for (int k = 1; k <= sections; ++k) {
    declarations +=
        fmt::format("Resistor r{0}(R = {0}); Capacitor c{0}; Inductor l{0}(L = 2);\n", k);
    equations +=
        fmt::format("connect(r{0}.n, c{0}.p); connect(c{0}.n, g.p); connect(r{0}.n, l{0}.p);\n", k);
    if (k > 1) equations += fmt::format("connect(l{}.n, r{}.p);\n", k - 1, k);
  }
  equations += fmt::format("connect(l{}.n, g.p);\n", sections);
  return fmt::format("{}model Ladder\n{}equation\n{}end Ladder;\n", kLibrary, declarations,
                     equations);
}

std::string array_ladder(int sections) {
  return fmt::format(R"({}model Ladder parameter Integer n = {};
Source s; Ground g; Resistor r[n](R = 1:n); Capacitor c[n]; Inductor l[n](each L = 2);
equation connect(s.n, g.p); connect(s.p, r[1].p); connect(l[n].n, g.p);
for k in 1:n loop connect(r[k].n, c[k].p); connect(c[k].n, g.p); connect(r[k].n, l[k].p); end for;
for k in 2:n loop connect(l[k - 1].n, r[k].p); end for;
end Ladder;
)",
                     kLibrary, sections);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void run(const char* kind, std::string (*write)(int), int sections) {
  const std::string text = write(sections);
  const std::clock_t start = std::clock();
  const LoadResult result = load_text(text);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  if (!result.model) {
    fmt::print("{}", render(result.diagnostics, result.sources.get()));
    return;
  }
  // Every eliminated alias is an unknown and an equation of the flat model.
  const std::size_t unknowns = result.model->num_variables() + result.model->aliases().size();
  fmt::print("{:<8} {:>10} {:>10} {:>8.2f} {:>10.1f} {:>8.0f}\n", kind, 3 * sections, unknowns,
             seconds, 1e6 * seconds / static_cast<double>(unknowns), peak_megabytes());
}

}  // namespace

int main() {
  fmt::print("{:<8} {:>10} {:>10} {:>8} {:>10} {:>8}\n", "", "components", "equations", "CPU s",
             "us per eq.", "peak MB");
  for (const int sections : {700, 1400, 2800, 5600, 11200}) {
    run("names", named_ladder, sections);
    run("arrays", array_ladder, sections);
  }
}
