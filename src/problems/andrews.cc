// Andrews' squeezing mechanism: seven rigid bodies driven by a motor, seven angles and six loop
// constraints. M(q) q'' = f(q, q') - G(q)^T lambda, g(q) = 0 with G = dg/dq.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void andrews_equations(Model& model) {
  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706;
  const double m7 = .05498, I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7;
  const double I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5;
  const double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  const double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035;
  const double sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916;
  const double u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
  const Expr c0 = model.parameter("c0", 4530), l0 = model.parameter("l0", .07785);
  const Expr mom = model.parameter("mom", .033);

  const Expr be = model.variable("beta"), Th = model.variable("Theta");
  const Expr ga = model.variable("gamma"), Ph = model.variable("Phi");
  const Expr de = model.variable("delta"), Om = model.variable("Omega");
  const Expr ep = model.variable("epsilon");
  const Numbered lambda(model, "lambda", 6);
  const std::vector<Expr> q = {be, Th, ga, Ph, de, Om, ep};

  // Mass matrix: its entries that are not zero, with their partners by symmetry.
  const Expr a_be = der(be, 2), a_Th = der(Th, 2), a_ga = der(ga, 2), a_Ph = der(Ph, 2);
  const Expr a_de = der(de, 2), a_Om = der(Om, 2), a_ep = der(ep, 2);
  const Expr e2 = sqr(e - ea), f2 = sqr(zf - fa);
  const Expr M11 = m1 * sqr(ra) + m2 * (sqr(rr) - 2 * da * rr * cos(Th) + sqr(da)) + I1 + I2;
  const Expr M21 = m2 * (sqr(da) - da * rr * cos(Th)) + I2;
  const Expr M22 = m2 * sqr(da) + I2, M33 = m3 * (sqr(sa) + sqr(sb)) + I3;
  const Expr M44 = m4 * e2 + I4, M66 = m6 * f2 + I6;
  const Expr M54 = m4 * (e2 + zt * (e - ea) * sin(Ph)) + I4;
  const Expr M55 =
      m4 * (sqr(zt) + 2 * zt * (e - ea) * sin(Ph) + e2) + m5 * (sqr(ta) + sqr(tb)) + I4 + I5;
  const Expr M76 = m6 * (f2 - u * (zf - fa) * sin(Om)) + I6;
  const Expr M77 =
      m6 * (f2 - 2 * u * (zf - fa) * sin(Om) + sqr(u)) + m7 * (sqr(ua) + sqr(ub)) + I6 + I7;
  const std::vector<Expr> inertia = {
      M11 * a_be + M21 * a_Th, M21 * a_be + M22 * a_Th, M33 * a_ga,
      M44 * a_Ph + M54 * a_de, M54 * a_Ph + M55 * a_de, M66 * a_Om + M76 * a_ep,
      M76 * a_Om + M77 * a_ep};

  // Applied forces; the spring acts on body 3.
  const Expr xd = sd * cos(ga) + sc * sin(ga) + xb, yd = sd * sin(ga) - sc * cos(ga) + yb;
  const Expr Lg = sqrt(sqr(xd - xc) + sqr(yd - yc)), F = -c0 * (Lg - l0) / Lg;
  const Expr Fx = F * (xd - xc), Fy = F * (yd - yc);
  const Expr v_be = der(be), v_Th = der(Th), v_Ph = der(Ph), v_de = der(de);
  const Expr v_Om = der(Om), v_ep = der(ep);
  const std::vector<Expr> f = {
      mom - m2 * da * rr * v_Th * (v_Th + 2 * v_be) * sin(Th),
      m2 * da * rr * sqr(v_be) * sin(Th),
      Fx * (sc * cos(ga) - sd * sin(ga)) + Fy * (sd * cos(ga) + sc * sin(ga)),
      m4 * zt * (e - ea) * sqr(v_de) * cos(Ph),
      -m4 * zt * (e - ea) * v_Ph * (v_Ph + 2 * v_de) * cos(Ph),
      -m6 * u * (zf - fa) * sqr(v_ep) * cos(Om),
      m6 * u * (zf - fa) * v_Om * (v_Om + 2 * v_ep) * cos(Om)};

  // Three closed loops through the point at the end of the crank.
  const Expr px = rr * cos(be) - d * cos(be + Th), py = rr * sin(be) - d * sin(be + Th);
  const std::vector<Expr> g = {px - ss * sin(ga) - xb,
                               py + ss * cos(ga) - yb,
                               px - e * sin(Ph + de) - zt * cos(de) - xa,
                               py + e * cos(Ph + de) - zt * sin(de) - ya,
                               px - zf * cos(Om + ep) - u * sin(ep) - xa,
                               py - zf * sin(Om + ep) + u * cos(ep) - ya};

  for (std::size_t i = 0; i < 7; ++i) {
    Expr constraint_force = 0;
    for (std::size_t k = 0; k < 6; ++k)
      constraint_force += partial(g[k], q[i]) * lambda(static_cast<int>(k) + 1);
    model.equation(inertia[i] - f[i] + constraint_force == 0);
  }
  for (const Expr& constraint : g) model.equation(constraint == 0);

  // One degree of freedom, the crank; the other angles follow from it.
  const double q0[] = {-0.0617138900142764496, 0,
                       0.455279819163070380,   0.222668390165885885,
                       0.487364979543842550,   -0.222668390165885885,
                       1.23054744454982119};
  for (std::size_t i = 0; i < 7; ++i) model.start(q[i], q0[i]), model.start(der(q[i]), 0);
  model.fix(be, q0[0]), model.fix(der(be), 0);
  model.start(a_be, 14222.4439199541139), model.start(a_Th, -10666.8329399655854);
  model.start(lambda(1), 98.5668703962410896), model.start(lambda(2), -6.12268834425566266);
}

}  // namespace

Problem andrews() {
  return Problem({
      .name = "andrews",
      .title = "Andrews' squeezing mechanism, index 3",
      .description =
          "Second-order form with 13 equations; the test set writes 27 of first order. Its end "
          "values are good to 1.4e-9 in the angles and 1.3e-6 in the multipliers; here they were "
          "recomputed.",
      .source =
          "W. M. Lioen, J. J. B. de Swart, Test Set for Initial Value Problem Solvers, problem "
          "andrews",
      .stop_time = 0.03,
      .equations = andrews_equations,
      .references = {{.t = 0.03,
                      .values = relative(2e-14, {{"beta", 15.8107711951537},
                                                 {"Theta", -15.7563710584119},
                                                 {"gamma", 0.0408222401196459},
                                                 {"Phi", -0.534730116342079},
                                                 {"delta", 0.524409965879954},
                                                 {"Omega", 0.534730116342079},
                                                 {"epsilon", 1.04808074104194}}),
                      .source = "extrapolation in 80-bit arithmetic on the multiplier-free ODE"},
                     {.t = 0.03,
                      .values = relative(2e-11, {{"beta", 1139.92030225911, 1},
                                                 {"Theta", -1424.37929517754, 1},
                                                 {"gamma", 11.0329119106, 1},
                                                 {"Phi", 19.2933741050, 1},
                                                 {"delta", 0.57356991483, 1},
                                                 {"Omega", -19.2933741050, 1},
                                                 {"epsilon", 0.32317914925, 1}}),
                      .source = "extrapolation in 80-bit arithmetic on the multiplier-free ODE"},
                     {.t = 0.03,
                      .values = relative(1e-9, "lambda",
                                         {199.1753481045, -29.7553099750, 23.0665436116,
                                          31.4527252758, 22.6424947864, 11.6173923526}),
                      .source = "solved for at the angles and velocities above"}},
      .structure = {.c = {0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2},
                    .d = {2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0},
                    .index = 3,
                    .dof = 2},
      .start_accuracy = 1e-14,
  });
}

}  // namespace hydae::problems
