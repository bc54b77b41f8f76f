#include "ida_problems.h"

#include <cmath>

namespace hydae::bench {
namespace {

// --- pendulum, y downwards: x'' = -x l, y'' = G - y l
constexpr double kG = 9.8;

// 0 = x'^2 + y'^2 + G y - l (x^2 + y^2)
void pendulum_residual(double, const double* y, const double* yp, double* r) {
  r[0] = yp[0] - y[2];
  r[1] = yp[1] - y[3];
  r[2] = yp[2] + y[0] * y[4];
  r[3] = yp[3] + y[1] * y[4] - kG;
  r[4] = y[2] * y[2] + y[3] * y[3] + kG * y[1] - y[4] * (y[0] * y[0] + y[1] * y[1]);
}

void pendulum_jacobian(double, double cj, const double* y, const double*, DenseJacobian J) {
  for (int i = 0; i < 4; ++i) J(i, i) = cj;
  J(0, 2) = J(1, 3) = -1;
  J(2, 0) = J(3, 1) = y[4];
  J(2, 4) = y[0], J(3, 4) = y[1];
  J(4, 0) = -2 * y[4] * y[0];
  J(4, 1) = kG - 2 * y[4] * y[1];
  J(4, 2) = 2 * y[2], J(4, 3) = 2 * y[3];
  J(4, 4) = -(y[0] * y[0] + y[1] * y[1]);
}

// x' = vx - x mu, y' = vy - y mu; both constraints hold
void stabilized_residual(double, const double* y, const double* yp, double* r) {
  r[0] = yp[0] - y[2] + y[0] * y[5];
  r[1] = yp[1] - y[3] + y[1] * y[5];
  r[2] = yp[2] + y[0] * y[4];
  r[3] = yp[3] + y[1] * y[4] - kG;
  r[4] = y[0] * y[0] + y[1] * y[1] - 1;
  r[5] = y[0] * y[2] + y[1] * y[3];
}

void stabilized_jacobian(double, double cj, const double* y, const double*, DenseJacobian J) {
  J(0, 0) = J(1, 1) = cj + y[5];
  J(2, 2) = J(3, 3) = cj;
  J(0, 2) = J(1, 3) = -1;
  J(0, 5) = J(2, 4) = y[0];
  J(1, 5) = J(3, 4) = y[1];
  J(2, 0) = J(3, 1) = y[4];
  J(4, 0) = 2 * y[0], J(4, 1) = 2 * y[1];
  J(5, 0) = y[2], J(5, 1) = y[3], J(5, 2) = y[0], J(5, 3) = y[1];
}

// --- car axis: K q'' = forces + multipliers, both constraints differentiated twice
constexpr double kL0 = 0.5, kK = 1e-4 * 10 / 2, kBump = 0.1, kOmega = 10, kGravity = 1;

struct Road {
  double x, y, vx, vy, ax, ay;
};

// y = r sin(w t), x^2 + y^2 = 1
Road road(double t) {
  const double s = std::sin(kOmega * t), c = std::cos(kOmega * t);
  Road b{};
  b.y = kBump * s, b.vy = kBump * kOmega * c, b.ay = -kOmega * kOmega * b.y;
  b.x = std::sqrt(1 - b.y * b.y);
  b.vx = -b.y * b.vy / b.x;
  b.ax = -(b.vx * b.vx + b.vy * b.vy + b.y * b.ay) / b.x;
  return b;
}

// Variables: xl yl xr yr, their velocities at 4 .. 7, multipliers at 8, 9.
void car_axis_residual(double t, const double* y, const double* yp, double* r) {
  const Road b = road(t);
  const double ex = y[2] - b.x, ey = y[3] - b.y, dx = y[0] - y[2], dy = y[1] - y[3];
  const double left = kL0 / std::sqrt(y[0] * y[0] + y[1] * y[1]) - 1;
  const double right = kL0 / std::sqrt(ex * ex + ey * ey) - 1;
  const double *v = y + 4, *a = yp + 4;
  for (int i = 0; i < 4; ++i) r[i] = yp[i] - v[i];
  r[4] = kK * a[0] - left * y[0] - y[8] * b.x - 2 * y[9] * dx;
  r[5] = kK * (a[1] + kGravity) - left * y[1] - y[8] * b.y - 2 * y[9] * dy;
  r[6] = kK * a[2] - right * ex + 2 * y[9] * dx;
  r[7] = kK * (a[3] + kGravity) - right * ey + 2 * y[9] * dy;
  r[8] = a[0] * b.x + 2 * v[0] * b.vx + y[0] * b.ax + a[1] * b.y + 2 * v[1] * b.vy + y[1] * b.ay;
  r[9] = dx * (a[0] - a[2]) + dy * (a[1] - a[3]) + (v[0] - v[2]) * (v[0] - v[2]) +
         (v[1] - v[3]) * (v[1] - v[3]);
}

// Subtracts the derivative of (L0/|e| - 1) e, a spring that pulls at the variables i, i + 1.
void add_spring(DenseJacobian J, int i, double ex, double ey) {
  const double square = ex * ex + ey * ey, ratio = kL0 / std::sqrt(square);
  const double along = ratio / square;
  J(4 + i, i) -= ratio - 1 - along * ex * ex;
  J(5 + i, i + 1) -= ratio - 1 - along * ey * ey;
  J(4 + i, i + 1) += along * ex * ey;
  J(5 + i, i) += along * ex * ey;
}

void car_axis_jacobian(double t, double cj, const double* y, const double* yp, DenseJacobian J) {
  const Road b = road(t);
  const double dx = y[0] - y[2], dy = y[1] - y[3];
  const double *v = y + 4, *a = yp + 4;
  for (int i = 0; i < 4; ++i) J(i, i) = cj, J(i, 4 + i) = -1, J(4 + i, 4 + i) = kK * cj;
  for (int i = 0; i < 2; ++i) {
    J(4 + i, i) = J(6 + i, i + 2) = -2 * y[9];
    J(4 + i, i + 2) = J(6 + i, i) = 2 * y[9];
  }
  add_spring(J, 0, y[0], y[1]);
  add_spring(J, 2, y[2] - b.x, y[3] - b.y);
  J(4, 8) = -b.x, J(5, 8) = -b.y;
  J(4, 9) = -2 * dx, J(6, 9) = 2 * dx, J(5, 9) = -2 * dy, J(7, 9) = 2 * dy;
  J(8, 0) = b.ax, J(8, 1) = b.ay;
  J(8, 4) = cj * b.x + 2 * b.vx, J(8, 5) = cj * b.y + 2 * b.vy;
  for (int i = 0; i < 2; ++i) {
    const double accelerations = a[i] - a[i + 2], velocities = 2 * (v[i] - v[i + 2]);
    const double distance = i == 0 ? dx : dy;
    J(9, i) = accelerations, J(9, i + 2) = -accelerations;
    J(9, 4 + i) = cj * distance + velocities, J(9, 6 + i) = -J(9, 4 + i);
  }
}

// Stabilised: q' = v - G^T mu, both constraints and their first derivatives; mu at 10, 11.
void stabilized_car_axis_residual(double t, const double* y, const double* yp, double* r) {
  car_axis_residual(t, y, yp, r);
  const Road b = road(t);
  const double dx = y[0] - y[2], dy = y[1] - y[3];
  const double* v = y + 4;
  r[0] += b.x * y[10] + 2 * dx * y[11];
  r[1] += b.y * y[10] + 2 * dy * y[11];
  r[2] -= 2 * dx * y[11];
  r[3] -= 2 * dy * y[11];
  r[8] = y[0] * b.x + y[1] * b.y;
  r[9] = dx * dx + dy * dy - 1;
  r[10] = v[0] * b.x + y[0] * b.vx + v[1] * b.y + y[1] * b.vy;
  r[11] = dx * (v[0] - v[2]) + dy * (v[1] - v[3]);
}

void stabilized_car_axis_jacobian(double t, double cj, const double* y, const double* yp,
                                  DenseJacobian J) {
  car_axis_jacobian(t, cj, y, yp, J);
  const Road b = road(t);
  const double dx = y[0] - y[2], dy = y[1] - y[3];
  const double* v = y + 4;
  for (int i = 0; i < 2; ++i) {
    J(i, i) += 2 * y[11], J(i + 2, i + 2) += 2 * y[11];
    J(i, i + 2) = J(i + 2, i) = -2 * y[11];
  }
  J(0, 10) = b.x, J(1, 10) = b.y;
  J(0, 11) = 2 * dx, J(1, 11) = 2 * dy, J(2, 11) = -2 * dx, J(3, 11) = -2 * dy;
  for (int j = 0; j < 12; ++j) J(8, j) = J(9, j) = 0;
  J(8, 0) = b.x, J(8, 1) = b.y;
  J(9, 0) = 2 * dx, J(9, 1) = 2 * dy, J(9, 2) = -2 * dx, J(9, 3) = -2 * dy;
  J(10, 0) = b.vx, J(10, 1) = b.vy, J(10, 4) = b.x, J(10, 5) = b.y;
  J(11, 0) = v[0] - v[2], J(11, 1) = v[1] - v[3], J(11, 2) = -J(11, 0), J(11, 3) = -J(11, 1);
  J(11, 4) = dx, J(11, 5) = dy, J(11, 6) = -dx, J(11, 7) = -dy;
}

// --- Andrews' mechanism: M(q) q'' = f(q, q') - G^T lambda, G q'' + (G q')' q' = 0
constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
                 m7 = .05498, I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7,
                 I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5, xb = -.03635, yb = .03273, xc = .014,
                 yc = .072, c0 = 4530, l0 = .07785, mom = .033, d = .028, da = .0115, e = .02,
                 ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874, sb = .01043,
                 sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449,
                 zf = .02, zt = .04, fa = .01421;
enum { kBe, kTh, kGa, kPh, kDe, kOm, kEp };

// Every loop condition is a sum of arms (amplitude cos, amplitude sin) of an angle q_i or q_i +
// q_j, some turned by a right angle.
struct Arm {
  double amplitude;
  bool is_turned;
  int first, second;  // coordinates; -1: none
  int loop;           // -1: in all three
};
constexpr Arm kArms[] = {{rr, false, kBe, -1, -1}, {-d, false, kBe, kTh, -1},
                         {ss, true, kGa, -1, 0},   {e, true, kPh, kDe, 1},
                         {-zt, false, kDe, -1, 1}, {-zf, false, kOm, kEp, 2},
                         {u, true, kEp, -1, 2}};

struct ArmState {
  double c, s;    // its two components
  double w, a;    // first and second derivative of its angle
  double lx, ly;  // multipliers that act on it
};

ArmState arm_state(const Arm& arm, const double* y, const double* yp) {
  const bool is_double = arm.second >= 0;
  const auto sum = [&](const double* x) { return x[arm.first] + (is_double ? x[arm.second] : 0); };
  const double angle = sum(y), c = std::cos(angle), s = std::sin(angle);
  ArmState state{arm.amplitude * (arm.is_turned ? -s : c),
                 arm.amplitude * (arm.is_turned ? c : s),
                 sum(y + 7),
                 sum(yp + 7),
                 0,
                 0};
  const double* l = y + 14;
  state.lx = arm.loop < 0 ? l[0] + l[2] + l[4] : l[2 * arm.loop];
  state.ly = arm.loop < 0 ? l[1] + l[3] + l[5] : l[2 * arm.loop + 1];
  return state;
}

// Entries of the mass matrix that move, and the same for their derivatives.
constexpr double kM22 = m2 * da * da + I2, kR = m2 * da * rr;
constexpr double kM11 = m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2;
constexpr double kM33 = m3 * (sa * sa + sb * sb) + I3;
constexpr double kM44 = m4 * (e - ea) * (e - ea) + I4, kZ = m4 * zt * (e - ea);
constexpr double kM55 = kM44 + m4 * zt * zt + m5 * (ta * ta + tb * tb) + I5;
constexpr double kM66 = m6 * (zf - fa) * (zf - fa) + I6, kU = m6 * u * (zf - fa);
constexpr double kM77 = kM66 + m6 * u * u + m7 * (ua * ua + ub * ub) + I7;

struct Spring {
  double force, slope;  // torque on gamma, and its derivative
};

Spring spring(double gamma) {
  const double s = std::sin(gamma), c = std::cos(gamma);
  const double x = sd * c + sc * s + xb - xc, y = sd * s - sc * c + yb - yc;
  const double p = sc * c - sd * s, q = sd * c + sc * s;  // dx, dy
  const double square = x * x + y * y, length = std::sqrt(square), moment = x * p + y * q;
  const double pull = c0 * (l0 / length - 1);
  const double turn = p * p + q * q - x * q + y * p;
  return {pull * moment, pull * turn - c0 * l0 / (length * square) * moment * moment};
}

void andrews_residual(double, const double* y, const double* yp, double* r) {
  const double *v = y + 7, *a = yp + 7;
  const double ct = std::cos(y[kTh]), st = std::sin(y[kTh]), cp = std::cos(y[kPh]),
               sp = std::sin(y[kPh]), co = std::cos(y[kOm]), so = std::sin(y[kOm]);
  for (int i = 0; i < 7; ++i) r[i] = yp[i] - v[i];
  double* f = r + 7;
  f[0] = (kM11 - 2 * kR * ct) * a[0] + (kM22 - kR * ct) * a[1] - mom +
         kR * v[1] * (v[1] + 2 * v[0]) * st;
  f[1] = (kM22 - kR * ct) * a[0] + kM22 * a[1] - kR * v[0] * v[0] * st;
  f[2] = kM33 * a[2] - spring(y[kGa]).force;
  f[3] = kM44 * a[3] + (kM44 + kZ * sp) * a[4] - kZ * v[4] * v[4] * cp;
  f[4] = (kM44 + kZ * sp) * a[3] + (kM55 + 2 * kZ * sp) * a[4] + kZ * v[3] * (v[3] + 2 * v[4]) * cp;
  f[5] = kM66 * a[5] + (kM66 - kU * so) * a[6] + kU * v[6] * v[6] * co;
  f[6] = (kM66 - kU * so) * a[5] + (kM77 - 2 * kU * so) * a[6] - kU * v[5] * (v[5] + 2 * v[6]) * co;
  double* g = r + 14;
  for (int i = 0; i < 6; ++i) g[i] = 0;
  for (const Arm& arm : kArms) {
    const ArmState m = arm_state(arm, y, yp);
    const double force = -m.s * m.lx + m.c * m.ly;
    f[arm.first] += force;
    if (arm.second >= 0) f[arm.second] += force;
    for (int l = std::max(arm.loop, 0); l <= (arm.loop < 0 ? 2 : arm.loop); ++l) {
      g[2 * l] += -m.s * m.a - m.c * m.w * m.w;
      g[2 * l + 1] += m.c * m.a - m.s * m.w * m.w;
    }
  }
}

void add_inertia(double cj, const double* y, const double* yp, DenseJacobian J) {
  const double *v = y + 7, *a = yp + 7;
  const double ct = std::cos(y[kTh]), st = std::sin(y[kTh]), cp = std::cos(y[kPh]),
               sp = std::sin(y[kPh]), co = std::cos(y[kOm]), so = std::sin(y[kOm]);
  const auto mass = [&](int i, int j, double value) { J(7 + i, 7 + j) += cj * value; };
  mass(0, 0, kM11 - 2 * kR * ct), mass(0, 1, kM22 - kR * ct), mass(1, 0, kM22 - kR * ct);
  mass(1, 1, kM22), mass(2, 2, kM33), mass(3, 3, kM44), mass(3, 4, kM44 + kZ * sp);
  mass(4, 3, kM44 + kZ * sp), mass(4, 4, kM55 + 2 * kZ * sp), mass(5, 5, kM66);
  mass(5, 6, kM66 - kU * so), mass(6, 5, kM66 - kU * so), mass(6, 6, kM77 - 2 * kU * so);

  const auto by_q = [&](int i, int j, double value) { J(7 + i, j) += value; };
  by_q(0, kTh, kR * (st * (2 * a[0] + a[1]) + v[1] * (v[1] + 2 * v[0]) * ct));
  by_q(1, kTh, kR * (st * a[0] - v[0] * v[0] * ct));
  by_q(2, kGa, -spring(y[kGa]).slope);
  by_q(3, kPh, kZ * (cp * a[4] + v[4] * v[4] * sp));
  by_q(4, kPh, kZ * (cp * (a[3] + 2 * a[4]) - v[3] * (v[3] + 2 * v[4]) * sp));
  by_q(5, kOm, -kU * (co * a[6] + v[6] * v[6] * so));
  by_q(6, kOm, -kU * (co * (a[5] + 2 * a[6]) - v[5] * (v[5] + 2 * v[6]) * so));

  const auto by_v = [&](int i, int j, double value) { J(7 + i, 7 + j) += value; };
  by_v(0, 0, 2 * kR * v[1] * st), by_v(0, 1, 2 * kR * (v[0] + v[1]) * st);
  by_v(1, 0, -2 * kR * v[0] * st), by_v(3, 4, -2 * kZ * v[4] * cp);
  by_v(4, 3, 2 * kZ * (v[3] + v[4]) * cp), by_v(4, 4, 2 * kZ * v[3] * cp);
  by_v(5, 6, 2 * kU * v[6] * co), by_v(6, 5, -2 * kU * (v[5] + v[6]) * co);
  by_v(6, 6, -2 * kU * v[5] * co);
}

void andrews_jacobian(double, double cj, const double* y, const double* yp, DenseJacobian J) {
  for (int i = 0; i < 7; ++i) J(i, i) = cj, J(i, 7 + i) = -1;
  add_inertia(cj, y, yp, J);
  for (const Arm& arm : kArms) {
    const ArmState m = arm_state(arm, y, yp);
    for (int i : {arm.first, arm.second}) {
      if (i < 0) continue;
      for (int j : {arm.first, arm.second})
        if (j >= 0) J(7 + i, j) += -m.c * m.lx - m.s * m.ly;
      for (int l = std::max(arm.loop, 0); l <= (arm.loop < 0 ? 2 : arm.loop); ++l) {
        const int x = 14 + 2 * l, z = x + 1;
        J(7 + i, x) -= m.s, J(7 + i, z) += m.c;
        J(x, i) += -m.c * m.a + m.s * m.w * m.w, J(z, i) += -m.s * m.a - m.c * m.w * m.w;
        J(x, 7 + i) += -m.s * cj - 2 * m.c * m.w, J(z, 7 + i) += m.c * cj - 2 * m.s * m.w;
      }
    }
  }
}

// --- chemical Akzo Nobel
constexpr double k1 = 18.7, k2 = 0.58, k3 = 0.09, k4 = 0.42, kRatio = 34.4, klA = 3.3, kS = 115.83,
                 kInflow = 3.3 * 0.9 / 737;

void akzo_residual(double, const double* y, const double* yp, double* r) {
  const double root = std::sqrt(y[1]), square = y[0] * y[0];
  const double r1 = k1 * square * square * root, r2 = k2 * y[2] * y[3],
               r3 = k2 / kRatio * y[0] * y[4], r4 = k3 * y[0] * y[3] * y[3],
               r5 = k4 * y[5] * y[5] * root;
  r[0] = yp[0] + 2 * r1 - r2 + r3 + r4;
  r[1] = yp[1] + 0.5 * r1 + r4 + 0.5 * r5 - kInflow + klA * y[1];
  r[2] = yp[2] - r1 + r2 - r3;
  r[3] = yp[3] + r2 - r3 + 2 * r4;
  r[4] = yp[4] - r2 + r3 - r5;
  r[5] = kS * y[0] * y[3] - y[5];
}

void akzo_jacobian(double, double cj, const double* y, const double*, DenseJacobian J) {
  const double root = std::sqrt(y[1]), cube = y[0] * y[0] * y[0];
  const double r1_0 = 4 * k1 * cube * root, r1_1 = 0.5 * k1 * cube * y[0] / root;
  const double r2_2 = k2 * y[3], r2_3 = k2 * y[2];
  const double r3_0 = k2 / kRatio * y[4], r3_4 = k2 / kRatio * y[0];
  const double r4_0 = k3 * y[3] * y[3], r4_3 = 2 * k3 * y[0] * y[3];
  const double r5_1 = 0.5 * k4 * y[5] * y[5] / root, r5_5 = 2 * k4 * y[5] * root;
  for (int i = 0; i < 5; ++i) J(i, i) = cj;
  J(0, 0) += 2 * r1_0 + r3_0 + r4_0, J(0, 1) = 2 * r1_1, J(0, 2) = -r2_2;
  J(0, 3) = -r2_3 + r4_3, J(0, 4) = r3_4;
  J(1, 0) = 0.5 * r1_0 + r4_0, J(1, 1) += 0.5 * r1_1 + 0.5 * r5_1 + klA, J(1, 3) = r4_3;
  J(1, 5) = 0.5 * r5_5;
  J(2, 0) = -r1_0 - r3_0, J(2, 1) = -r1_1, J(2, 2) += r2_2, J(2, 3) = r2_3, J(2, 4) = -r3_4;
  J(3, 0) = -r3_0 + 2 * r4_0, J(3, 2) = r2_2, J(3, 3) += r2_3 + 2 * r4_3, J(3, 4) = -r3_4;
  J(4, 0) = r3_0, J(4, 1) = -r5_1, J(4, 2) = -r2_2, J(4, 3) = -r2_3, J(4, 4) += r3_4;
  J(4, 5) = -r5_5;
  J(5, 0) = kS * y[3], J(5, 3) = kS * y[0], J(5, 5) = -1;
}

}  // namespace

// Ends of the pendulum from the closed form (src/problems/pendulum.cc) in 40 digits.
IdaProblem ida_pendulum() {
  return {"pendulum",        100,
          {1, 0, 0, 0, 0},   {0, 0, 0, kG, 0},
          {1, 1, 1, 1, 0},   pendulum_residual,
          pendulum_jacobian, {0.39239041268655424, 0.91979876279090289}};
}

IdaProblem ida_stabilized_pendulum() {
  IdaProblem p{"pendulum",          100,
               {1, 0, 0, 0, 0, 0},  {0, 0, 0, kG, 0, 0},
               {1, 1, 1, 1, 0, 0},  stabilized_residual,
               stabilized_jacobian, {0.39239041268655424, 0.91979876279090289}};
  p.is_index_2 = true;
  return p;
}

IdaProblem ida_car_axis() {
  return {"caraxis",
          3,
          {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0},
          {-0.5, 0, -0.5, 0, 0, 0, 0, 0, 0, 0},
          {1, 1, 1, 1, 1, 1, 1, 1, 0, 0},
          car_axis_residual,
          car_axis_jacobian,
          {0.0493455784275240, 0.4969894602300081, 1.041742524885426, 0.3739110272653658}};
}

IdaProblem ida_stabilized_car_axis(IdaProblem start) {
  for (auto* values : {&start.y, &start.yp, &start.id}) values->resize(12);
  start.residual = stabilized_car_axis_residual;
  start.jacobian = stabilized_car_axis_jacobian;
  start.is_index_2 = true;
  return start;
}

IdaProblem ida_andrews() {
  IdaProblem p{"andrews", 0.03, {}, {}, {}, andrews_residual, andrews_jacobian};
  p.y = {-0.0617138900142764496, 0,
         0.455279819163070380,   0.222668390165885885,
         0.487364979543842550,   -0.222668390165885885,
         1.23054744454982119};
  p.y.resize(20), p.yp.resize(20), p.id.resize(20);
  for (int i = 0; i < 14; ++i) p.id[static_cast<std::size_t>(i)] = 1;
  p.known = {15.8107711951537,  -15.7563710584119, 0.0408222401196459, -0.534730116342079,
             0.524409965879954, 0.534730116342079, 1.04808074104194};
  return p;
}

IdaProblem ida_chemakzo() {
  IdaProblem p{"chemakzo", 180, {}, {}, {1, 1, 1, 1, 1, 0}, akzo_residual, akzo_jacobian};
  p.y = {0.444, 0.00123, 0, 0.007, 0, kS * 0.444 * 0.007};
  p.yp.resize(6);
  p.known = {0.1150794920661702, 0.1203831471567715e-2, 0.1611562887407974, 0.3656156421249283e-3,
             0.1708010885264404e-1};
  return p;
}

}  // namespace hydae::bench
