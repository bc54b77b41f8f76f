// The sun and the five outer planets, in astronomical units, solar masses and days. Mass of the
// inner planets added to the sun's; start of 5 September 1994, heliocentric.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

struct Body {
  std::string name;
  double mass;
  double q[3], v[3];
};

const std::vector<Body>& bodies() {
  static const std::vector<Body> list = {
      {"sun", 1.00000597682, {0, 0, 0}, {0, 0, 0}},
      {"jupiter",
       0.000954786104043,
       {-3.5023653, -3.8169847, -1.5507963},
       {0.00565429, -0.00412490, -0.00190589}},
      {"saturn",
       0.000285583733151,
       {9.0755314, -3.0458353, -1.6483708},
       {0.00168318, 0.00483525, 0.00192462}},
      {"uranus",
       0.0000437273164546,
       {8.3101420, -16.2901086, -7.2521278},
       {0.00354178, 0.00137102, 0.00055029}},
      {"neptune",
       0.0000517759138449,
       {11.4707666, -25.7294829, -10.8169456},
       {0.00288930, 0.00114527, 0.00039677}},
      {"pluto",
       1 / 1.3e8,
       {-15.5387357, -25.2225594, -3.1902382},
       {0.00276725, -0.00170702, -0.00136504}},
  };
  return list;
}

const char* const kAxes[] = {"x", "y", "z"};

void outer_solar_system_equations(Model& m) {
  const Expr G = m.parameter("G", 2.95912208286e-4);
  std::vector<std::vector<Expr>> q;
  for (const Body& body : bodies()) {
    q.emplace_back();
    for (const char* axis : kAxes) q.back().push_back(m.variable(body.name + "." + axis));
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    std::vector<Expr> pull(3);
    for (std::size_t j = 0; j < q.size(); ++j) {
      if (j == i) continue;
      const Expr dx = q[j][0] - q[i][0], dy = q[j][1] - q[i][1], dz = q[j][2] - q[i][2];
      const Expr factor = G * bodies()[j].mass / pow(sqr(dx) + sqr(dy) + sqr(dz), 1.5);
      pull[0] += factor * dx, pull[1] += factor * dy, pull[2] += factor * dz;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      m.equation(der(q[i][k], 2) == pull[k]);
      m.fix(q[i][k], bodies()[i].q[k]), m.fix(der(q[i][k]), bodies()[i].v[k]);
    }
  }
}

// Positions of all bodies, in the order of bodies().
std::vector<ReferenceValue> positions(double accuracy, const std::vector<double>& q) {
  std::vector<ReferenceValue> values;
  for (const Body& body : bodies())
    for (const char* axis : kAxes)
      values.push_back({body.name + "." + axis, 0, q[values.size()], accuracy});
  return values;
}

}  // namespace

Problem outer_solar_system() {
  const std::string source = "extrapolation in quadruple precision";
  return Problem({
      .name = "outer_solar_system",
      .title = "sun and outer planets, 18 equations of second order",
      .description = "Over 500000 days, about 115 revolutions of Jupiter.",
      .source = "E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, section I.2.4",
      .kind = ProblemKind::kOde,
      .stop_time = 500000,
      .equations = outer_solar_system_equations,
      .references = {{.t = 10000,
                      .values = positions(
                          1e-13,
                          {0.053306088172255331, -0.028052803944459499, -0.013636778775970180,
                           4.7616886218133673, -1.4985316562061407, -0.75853432347025402,
                           7.0843466396727545, -6.3784134214123005, -2.9393716783127347,
                           14.397421886207614, 12.442139480455788, 5.2450098068129851,
                           29.695174558793546, -3.4839995619102974, -2.1661666884938798,
                           15.237592115586662, -27.948052013040140, -13.299424850200689}),
                      .source = source},
                     {.t = 500000,
                      .values = positions(
                          1e-10, {3.0841184733806835, -1.2277263565816438, -0.61625376346472294,
                                  7.7665840867997915, 0.25310657545702073, -0.094105714019297086,
                                  -5.5649671628437831, 1.6748497408225713, 0.97672320695353848,
                                  19.638995728952059, 8.9585045522867277, 3.6118391570574670,
                                  24.935708703051490, 17.695186761537328, 6.5837851645493617,
                                  31.785925113757061, 38.636189581606761, 3.1927941697331615}),
                      .source = source}},
      .structure =
          {.c = std::vector<int>(18, 0), .d = std::vector<int>(18, 2), .index = 0, .dof = 36},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
