model Pendulum "A mass on a rigid rod, in Cartesian coordinates: index 3"
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x(unit = "m", start = 1, fixed = true) "horizontal position";
  Real y(unit = "m", start = 0) "vertical position";
  Real vx(unit = "m/s", start = 0, fixed = true);
  Real vy(unit = "m/s", start = 0);
  Real F(unit = "N") "force in the rod";
equation
  der(x) = vx;
  der(y) = vy;
  m * der(vx) = -F * x / L;
  m * der(vy) = -F * y / L - m * g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10));
end Pendulum;
