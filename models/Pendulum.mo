model Pendulum "In Cartesian coordinates: index 3, the rod force is unknown"
  // Released at rest, level with the pivot. The period is 4*sqrt(L/g)*K(sin(phi0/2)) with the
  // complete elliptic integral K and the amplitude phi0 = pi/2; after it the start comes back.
  parameter Real L(unit = "m") = 1;
  parameter Real m(unit = "kg") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 1, fixed = true);
  Real y(unit = "m", start = 0);
  Real vx(unit = "m/s");
  Real vy(unit = "m/s", start = 0, fixed = true);
  Real F(unit = "N") "In the rod";
  Real energy(unit = "J") = 0.5*m*(vx^2 + vy^2) + m*g*y "Constant";
equation
  vx = der(x);
  vy = der(y);
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 4));
end Pendulum;
