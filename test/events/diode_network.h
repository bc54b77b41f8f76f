// Random networks of ideal diodes, ideal switches, coils, capacitors, resistors and sources: as
// Modelica text in several forms, and as a complementarity problem in time, stepped by implicit
// Euler (Moreau) with Lemke's method. The stepping knows nothing of modes, events or impulses: what
// it converges to is what the text means. Nothing here is shared with the library.
#pragma once

#include <Eigen/LU>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace hydae::networks {

enum class Kind { kResistor, kCoil, kCapacitor, kSource, kDiode, kSwitch };

struct Element {
  Kind kind;
  int from = 0, to = 0;                            // nodes; 0 is the ground
  double value = 1;                                // R, L, C; series resistance of a source
  double amplitude = 0, frequency = 0, phase = 0;  // of a source
  double time = 0;                                 // at which a switch changes
  bool closes = false;                             // it closes then; otherwise it opens
  double voltage(double t) const { return amplitude * std::sin(frequency * t + phase); }
  bool is_closed(double t) const { return (t < time) != closes; }
};

struct Network {
  int num_nodes = 0;  // without the ground
  std::vector<Element> elements;
};

// Every node has a way to the ground through resistors, coils and capacitors, so that its voltage
// is determined whatever conducts; diodes and switches make no loop, so that their currents are.
inline Network random_network(unsigned seed) {
  std::mt19937 random(seed);
  const auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto whole = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Network net;
  net.num_nodes = whole(2, 4);
  for (int node = 1; node <= net.num_nodes; ++node) {
    const Kind kinds[] = {Kind::kResistor, Kind::kCoil, Kind::kCapacitor};
    net.elements.push_back({kinds[whole(0, 2)], node, whole(0, node - 1), real(0.3, 2)});
  }
  for (int k = whole(1, 2); k > 0; --k) {
    Element source{Kind::kSource, whole(1, net.num_nodes), 0, real(0.3, 1.5)};
    source.amplitude = real(1, 3), source.frequency = real(2, 6), source.phase = real(0.3, 2.8);
    net.elements.push_back(source);
  }
  std::vector<int> part(static_cast<std::size_t>(net.num_nodes) + 1);  // trees of diodes, switches
  for (std::size_t k = 0; k < part.size(); ++k) part[k] = static_cast<int>(k);
  for (int k = whole(2, 4); k > 0; --k) {
    const int from = whole(0, net.num_nodes), to = whole(0, net.num_nodes);
    const int joined = part[static_cast<std::size_t>(to)];
    if (part[static_cast<std::size_t>(from)] == joined) continue;
    for (int& p : part)
      if (p == joined) p = part[static_cast<std::size_t>(from)];
    Element branch{whole(0, 2) == 0 ? Kind::kSwitch : Kind::kDiode, from, to};
    branch.time = real(0.3, 1.2);
    branch.closes = whole(0, 1) == 1;
    net.elements.push_back(branch);
  }
  return net;
}

// w = q + M d, 0 <= d, w, one of each pair zero. Lemke's method with the covering vector of ones.
inline std::optional<Eigen::VectorXd> lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  const Eigen::Index n = q.size();
  if (n == 0 || q.minCoeff() >= 0) return Eigen::VectorXd::Zero(n);
  Eigen::MatrixXd table(n, 2 * n + 2);  // w, d, cover, right side
  table << Eigen::MatrixXd::Identity(n, n), -M, -Eigen::VectorXd::Ones(n), q;
  std::vector<Eigen::Index> basis(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) basis[static_cast<std::size_t>(i)] = i;
  const auto pivot = [&](Eigen::Index row, Eigen::Index column) {
    table.row(row) /= table(row, column);
    for (Eigen::Index i = 0; i < n; ++i)
      if (i != row) table.row(i) -= (table(i, column) * table.row(row)).eval();
    const Eigen::Index left = basis[static_cast<std::size_t>(row)];
    basis[static_cast<std::size_t>(row)] = column;
    return left;
  };
  Eigen::Index row = 0;
  q.minCoeff(&row);
  Eigen::Index left = pivot(row, 2 * n);
  for (int count = 0; count < 200 && left != 2 * n; ++count) {
    const Eigen::Index entering = left < n ? left + n : left - n;
    row = -1;
    for (Eigen::Index i = 0; i < n; ++i)
      if (table(i, entering) > 1e-12 &&
          (row < 0 ||
           table(i, 2 * n + 1) / table(i, entering) < table(row, 2 * n + 1) / table(row, entering)))
        row = i;
    if (row < 0) return std::nullopt;
    left = pivot(row, entering);
  }
  Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index variable = basis[static_cast<std::size_t>(i)];
    if (variable >= n && variable < 2 * n) d[variable - n] = table(i, 2 * n + 1);
  }
  return d;
}

// Currents of coils and voltages of capacitors at `stop`, in the order of the elements, from zero.
class Stepping {
 public:
  explicit Stepping(const Network& net) : net_(net) {}

  std::optional<Eigen::VectorXd> run(double stop, int num_steps) {
    const double h = stop / num_steps;
    Eigen::VectorXd state = Eigen::VectorXd::Zero(count(Kind::kCoil) + count(Kind::kCapacitor));
    for (int k = 1; k <= num_steps; ++k)
      if (!step(k * h, h, state)) return std::nullopt;
    return state;
  }

 private:
  Eigen::Index count(Kind kind) const {
    Eigen::Index number = 0;
    for (const Element& e : net_.elements) number += e.kind == kind ? 1 : 0;
    return number;
  }
  Eigen::VectorXd incidence(const Element& e) const {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(net_.num_nodes);
    if (e.from > 0) a[e.from - 1] += 1;
    if (e.to > 0) a[e.to - 1] -= 1;
    return a;
  }

  // Nodal analysis: G v + (currents of diodes and closed switches) = injected.
  bool step(double t, double h, Eigen::VectorXd& state) const {
    const Eigen::Index n = net_.num_nodes, num_diodes = count(Kind::kDiode);
    Eigen::Index num_closed = 0, next_state = 0, next_closed = n, next_diode = 0;
    for (const Element& e : net_.elements)
      num_closed += e.kind == Kind::kSwitch && e.is_closed(t) ? 1 : 0;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + num_closed, n + num_closed);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n + num_closed);
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(n + num_closed, num_diodes);  // incidence of diodes
    for (const Element& e : net_.elements) {
      const Eigen::VectorXd a = incidence(e);
      const auto conduct = [&](double g, double injected) {
        A.topLeftCorner(n, n) += g * a * a.transpose();
        b.head(n) += injected * a;
      };
      switch (e.kind) {
        case Kind::kResistor: conduct(1 / e.value, 0); break;
        case Kind::kSource: conduct(1 / e.value, e.voltage(t) / e.value); break;
        case Kind::kCoil: conduct(h / e.value, -state[next_state++]); break;
        case Kind::kCapacitor: conduct(e.value / h, e.value / h * state[next_state++]); break;
        case Kind::kDiode: D.col(next_diode++).head(n) = a; break;
        case Kind::kSwitch:
          if (!e.is_closed(t)) break;
          A.col(next_closed).head(n) = a;
          A.row(next_closed++).head(n) = a.transpose();
          break;
      }
    }
    // Blocking voltages w = -a'v with v = A^-1 (b - D d).
    const Eigen::PartialPivLU<Eigen::MatrixXd> factors(A);
    const Eigen::VectorXd without = factors.solve(b);
    const Eigen::MatrixXd response = factors.solve(D);
    const auto d = lemke(D.transpose() * response, -D.transpose() * without);
    if (!d) return false;
    const Eigen::VectorXd v = without - response * *d;
    next_state = 0;
    for (const Element& e : net_.elements) {
      const double voltage = incidence(e).dot(v.head(n));
      if (e.kind == Kind::kCoil) state[next_state++] += h / e.value * voltage;
      if (e.kind == Kind::kCapacitor) state[next_state++] = voltage;
    }
    return v.allFinite();
  }

  const Network& net_;
};

inline constexpr int kNumForms = 7;

// How a diode of parameter s, current d and blocking voltage w is written.
inline std::string diode_text(int form, const std::string& k) {
  const std::string s = "s" + k, d = "d" + k, w = "w" + k;
  const auto chosen = [&](const std::string& condition) {
    return d + "=if " + condition + " then " + s + " else 0; " + w + "=if " + condition +
           " then 0 else -" + s + "; ";
  };
  switch (form) {
    case 0: return chosen(s + ">0");
    case 1: return chosen(s + ">=0");
    case 2: return chosen("not " + s + "<=0");
    case 3: return chosen("on" + k) + "on" + k + "=" + s + ">0; ";
    case 4: return chosen("not off" + k) + "off" + k + "=" + s + "<0; ";
    case 5:
      return "if " + s + ">0 then " + d + "=" + s + "; " + w + "=0; else " + d + "=0; " + w + "=-" +
             s + "; end if; ";
    default: return w + "=max(-" + s + ",0); " + d + "=max(" + s + ",0); ";
  }
}

struct Text {
  std::string model;
  std::vector<std::string> states;  // as Stepping has them
};

inline Text write_text(const Network& net, int form) {
  Text text;
  std::string declarations, equations;
  std::vector<std::string> balances(static_cast<std::size_t>(net.num_nodes) + 1);
  const auto number = [](double value) { return std::to_string(value); };
  for (std::size_t k = 0; k < net.elements.size(); ++k) {
    const Element& e = net.elements[k];
    const std::string id = std::to_string(k), i = "i" + id, u = "u" + id;
    const auto node = [](int n) { return n == 0 ? std::string("0") : "v" + std::to_string(n); };
    const bool is_coil = e.kind == Kind::kCoil, is_capacitor = e.kind == Kind::kCapacitor;
    const std::string fixed = "(start=0,fixed=true)";
    declarations +=
        "Real " + i + (is_coil ? fixed : "") + "," + u + (is_capacitor ? fixed : "") + "; ";
    equations += u + "=" + node(e.from) + "-" + node(e.to) + "; ";
    balances[static_cast<std::size_t>(e.from)] += "+" + i;
    balances[static_cast<std::size_t>(e.to)] += "-" + i;
    if (is_coil || is_capacitor) text.states.push_back(is_coil ? i : u);
    switch (e.kind) {
      case Kind::kResistor: equations += u + "=" + number(e.value) + "*" + i + "; "; break;
      case Kind::kCoil: equations += number(e.value) + "*der(" + i + ")=" + u + "; "; break;
      case Kind::kCapacitor: equations += number(e.value) + "*der(" + u + ")=" + i + "; "; break;
      case Kind::kSource:
        equations += u + "=" + number(e.value) + "*" + i + "+" + number(e.amplitude) + "*sin(" +
                     number(e.frequency) + "*time+" + number(e.phase) + "); ";
        break;
      case Kind::kDiode:
        declarations += "Real s" + id + ",d" + id + ",w" + id + "; ";
        if (form == 3) declarations += "Boolean on" + id + "; ";
        if (form == 4) declarations += "Boolean off" + id + "; ";
        equations += i + "=d" + id + "; " + u + "=-w" + id + "; " + diode_text(form, id);
        break;
      case Kind::kSwitch:
        equations += "0=if time<" + number(e.time) + " then " + (e.closes ? i : u) + " else " +
                     (e.closes ? u : i) + "; ";
        break;
    }
  }
  for (int n = 1; n <= net.num_nodes; ++n) {
    declarations += "Real v" + std::to_string(n) + "; ";
    equations += "0=0" + balances[static_cast<std::size_t>(n)] + "; ";
  }
  text.model = "model Network " + declarations + "equation " + equations + "end Network;";
  return text;
}

// The network as its text has it: numbers of six digits.
inline Network rounded(Network net) {
  for (Element& e : net.elements)
    for (double* value : {&e.value, &e.amplitude, &e.frequency, &e.phase, &e.time})
      *value = std::stod(std::to_string(*value));
  return net;
}

}  // namespace hydae::networks
