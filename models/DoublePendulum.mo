model DoublePendulum "Two point masses on two rods, Cartesian: two constraints, energy is kept"
  parameter Real g = 9.81;
  Real x1(start = 1, fixed = true), y1(start = 0), x2(start = 2, fixed = true), y2(start = 0);
  Real vx1, vy1(start = 0, fixed = true), vx2, vy2(start = 0, fixed = true);
  Real F1, F2 "Tension per length";
  Real energy = (vx1^2 + vy1^2 + vx2^2 + vy2^2)/2 + g*(y1 + y2);
equation
  vx1 = der(x1);
  vy1 = der(y1);
  vx2 = der(x2);
  vy2 = der(y2);
  der(vx1) = -F1*x1 + F2*(x2 - x1);
  der(vy1) = -F1*y1 + F2*(y2 - y1) - g;
  der(vx2) = -F2*(x2 - x1);
  der(vy2) = -F2*(y2 - y1) - g;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
  annotation(experiment(StopTime = 1.5));
end DoublePendulum;
