// Published systems lowered by hand to terms, with structure and a consistent start: for tests and
// benchmarks of the engine without the front end.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "codegen/program.h"
#include "codegen/term_notation.h"

namespace hydae::codegen {

struct SampleSystem {
  TapeBuilder tape;
  ProgramInput input;
  std::vector<double> state;  // values of Program::entries() at time 0

  Sym x(int variable, int order = 0) { return {&tape, tape.variable(variable, order)}; }
  Sym t() { return {&tape, tape.time()}; }
  Sym p(int parameter) { return {&tape, tape.parameter(parameter)}; }
  Sym c(double value) { return {&tape, tape.constant(value)}; }
  void equation(Sym residual) { input.residuals.push_back(residual.id); }
  void output(Sym value) { input.outputs.push_back(value.id); }
  std::shared_ptr<const Program> make_program() const {
    return std::make_shared<Program>(tape, input);
  }
};

// One block with offsets c and d.
inline Structure single_block(std::vector<int> c, std::vector<int> d) {
  Structure structure{std::move(c), std::move(d), {}};
  BlockShape block;
  for (int i = 0; i < static_cast<int>(structure.c.size()); ++i) {
    block.equations.push_back(i);
    block.variables.push_back(i);
  }
  structure.blocks.push_back(block);
  return structure;
}

// One block per equation: equation i is solved for variable i.
inline Structure scalar_blocks(std::vector<int> c, std::vector<int> d) {
  Structure structure{std::move(c), std::move(d), {}};
  for (int i = 0; i < static_cast<int>(structure.c.size()); ++i) {
    structure.blocks.push_back({.equations = {i}, .variables = {i}});
  }
  return structure;
}

// x'' + lambda x = 0, y'' + lambda y = g, x^2 + y^2 = L^2; index 3. Parameters g and L.
// State: x, x', y, y'.
inline SampleSystem pendulum(double x0, double y0, double vx, double vy) {
  SampleSystem s;
  s.equation(s.x(0, 2) + s.x(0) * s.x(2));
  s.equation(s.x(1, 2) + s.x(1) * s.x(2) - s.p(0));
  s.equation(sqr(s.x(0)) + sqr(s.x(1)) - sqr(s.p(1)));
  s.input.structure = single_block({0, 0, 2}, {2, 2, 0});
  s.input.num_parameters = 2;
  s.state = {x0, vx, y0, vy};
  return s;
}

// Chain of P pendula, each as long as the multiplier of the one above tells; index 2P+1 (DAETS).
// x_i''+x_i l_i = 0, y_i''+y_i l_i = G, x_i^2+y_i^2 = (L + c l_{i-1})^2; G = 9.8, L = 1, c = 0.1.
// With local offsets the state is x_i, x_i', y_i, y_i'; without (`is_local` false) all up to d_j.
inline SampleSystem pendulum_chain(int count, bool is_local = true) {
  constexpr double kG = 9.8, kL = 1, kC = 0.1;
  SampleSystem s;
  Structure& structure = s.input.structure;
  for (int i = 0; i < count; ++i) {
    const int x = 3 * i, y = x + 1, l = x + 2, lead = 2 * (count - 1 - i);
    s.equation(s.x(x, 2) + s.x(x) * s.x(l));
    s.equation(s.x(y, 2) + s.x(y) * s.x(l) - kG);
    const Sym length = i == 0 ? s.c(kL) : kL + kC * s.x(l - 3);
    s.equation(sqr(s.x(x)) + sqr(s.x(y)) - sqr(length));
    for (int c : {0, 0, 2}) structure.c.push_back(c + lead);
    for (int d : {2, 2, 0}) structure.d.push_back(d + lead);
    structure.blocks.push_back({{x, y, l}, {x, y, l}, is_local ? lead : 0});
  }
  return s;
}

// Car axis problem of the Test Set for IVP Solvers; index 3. State: xl xl' yl yl' xr xr' yr yr'.
inline SampleSystem car_axis() {
  constexpr double kL = 1, kL0 = 0.5, kEps = 1e-2, kMass = 10, kR = 0.1, kOmega = 10, kG = 1;
  constexpr double kK = kEps * kEps * kMass / 2;
  SampleSystem s;
  const Sym xl = s.x(0), yl = s.x(1), xr = s.x(2), yr = s.x(3), l1 = s.x(4), l2 = s.x(5);
  const Sym yb = kR * sin(kOmega * s.t()), xb = sqrt(kL * kL - sqr(yb));
  const Sym dx = xl - xr, dy = yl - yr, ex = xr - xb, ey = yr - yb;
  const Sym left = kL0 * pow(sqr(xl) + sqr(yl), -0.5) - 1.0;  // (L0 - Ll) / Ll
  const Sym right = kL0 * pow(sqr(ex) + sqr(ey), -0.5) - 1.0;
  s.equation(kK * s.x(0, 2) - left * xl - l1 * xb - 2 * (l2 * dx));
  s.equation(kK * s.x(1, 2) - left * yl - l1 * yb - 2 * (l2 * dy) + kK * kG);
  s.equation(kK * s.x(2, 2) - right * ex + 2 * (l2 * dx));
  s.equation(kK * s.x(3, 2) - right * ey + 2 * (l2 * dy) + kK * kG);
  s.equation(xl * xb + yl * yb);
  s.equation(sqr(dx) + sqr(dy) - kL * kL);
  s.input.structure = single_block({0, 0, 0, 0, 2, 2}, {2, 2, 2, 2, 0, 0});
  s.state = {0, -0.5, 0.5, 0, 1, -0.5, 0.5, 0};
  return s;
}

// Andrews' squeezing mechanism of the same test set, in second-order form: 7 angles, 6 multipliers,
// index 3. State: q_1 q_1' ... q_7 q_7'.
inline SampleSystem andrews() {
  constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
                   m7 = .05498, I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7,
                   I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5, xa = -.06934, ya = -.00227,
                   xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530, l0 = .07785,
                   mom = .033, d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092,
                   ss = .035, sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308,
                   tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
  SampleSystem s;
  const Sym be = s.x(0), th = s.x(1), ga = s.x(2), ph = s.x(3), de = s.x(4), om = s.x(5),
            ep = s.x(6);
  const auto v = [&](int i) { return s.x(i, 1); };
  const auto a = [&](int i) { return s.x(i, 2); };
  const auto lam = [&](int i) { return s.x(6 + i); };  // 1 .. 6

  const Sym sth = sin(th), cth = cos(th), sga = sin(ga), cga = cos(ga), sph = sin(ph),
            cph = cos(ph), som = sin(om), com = cos(om), sde = sin(de), cde = cos(de),
            sep = sin(ep), cep = cos(ep);
  const Sym bt = be + th, pd = ph + de, oe = om + ep;
  const Sym dsbt = d * sin(bt), dcbt = d * cos(bt), espd = e * sin(pd), ecpd = e * cos(pd),
            fsoe = zf * sin(oe), fcoe = zf * cos(oe);
  const Sym px = rr * cos(be) - dcbt, py = rr * sin(be) - dsbt;  // the common joint

  const Sym xd = sd * cga + sc * sga + xb, yd = sd * sga - sc * cga + yb;
  const Sym rx = xd - xc, ry = yd - yc;
  const Sym force = c0 * l0 * pow(sqr(rx) + sqr(ry), -0.5) - c0;
  const Sym fx = force * rx, fy = force * ry;

  const Sym lx = lam(1) + lam(3) + lam(5), ly = lam(2) + lam(4) + lam(6);
  const double m21 = m2 * da * da + I2, r21 = m2 * da * rr, z54 = m4 * zt * (e - ea),
               m44 = m4 * (e - ea) * (e - ea) + I4, u76 = m6 * u * (zf - fa),
               m66 = m6 * (zf - fa) * (zf - fa) + I6;
  const double m11 = m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2;
  const double m55 = m4 * (zt * zt + (e - ea) * (e - ea)) + m5 * (ta * ta + tb * tb) + I4 + I5;
  const double m77 = m6 * ((zf - fa) * (zf - fa) + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;

  s.equation((m11 - 2 * r21 * cth) * a(0) + (m21 - r21 * cth) * a(1) - mom +
             r21 * (v(1) * (v(1) + 2 * v(0)) * sth) - lx * py + ly * px);
  s.equation((m21 - r21 * cth) * a(0) + m21 * a(1) - r21 * (v(0) * v(0) * sth) + lx * dsbt -
             ly * dcbt);
  s.equation((m3 * (sa * sa + sb * sb) + I3) * a(2) - fx * (sc * cga - sd * sga) -
             fy * (sd * cga + sc * sga) - ss * (lam(1) * cga) - ss * (lam(2) * sga));
  s.equation(m44 * a(3) + (m44 + z54 * sph) * a(4) - z54 * (v(4) * v(4) * cph) - lam(3) * ecpd -
             lam(4) * espd);
  s.equation((m44 + z54 * sph) * a(3) + (m55 + 2 * z54 * sph) * a(4) +
             z54 * (v(3) * (v(3) + 2 * v(4)) * cph) - lam(3) * ecpd - lam(4) * espd +
             zt * (lam(3) * sde) - zt * (lam(4) * cde));
  s.equation(m66 * a(5) + (m66 - u76 * som) * a(6) + u76 * (v(6) * v(6) * com) + lam(5) * fsoe -
             lam(6) * fcoe);
  s.equation((m66 - u76 * som) * a(5) + (m77 - 2 * u76 * som) * a(6) -
             u76 * (v(5) * (v(5) + 2 * v(6)) * com) + lam(5) * fsoe - lam(6) * fcoe -
             u * (lam(5) * cep) - u * (lam(6) * sep));
  s.equation(px - ss * sga - xb);
  s.equation(py + ss * cga - yb);
  s.equation(px - espd - zt * cde - xa);
  s.equation(py + ecpd - zt * sde - ya);
  s.equation(px - fcoe - u * sep - xa);
  s.equation(py - fsoe + u * cep - ya);
  s.input.structure = single_block({0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2},
                                   {2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0});
  for (double q : {-0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449,
                   0.222668390165885884674473185609, 0.487364979543842550225598953530,
                   -0.222668390165885884674473185609, 1.23054744454982119249735015568}) {
    s.state.push_back(q);
    s.state.push_back(0);
  }
  return s;
}

}  // namespace hydae::codegen
