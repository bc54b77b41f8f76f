model Fall
  parameter Real g(unit = "m/s2") = 9.81;
  Real s(unit = "m"), v(unit = "m/s", start = 0);
equation
  der(v) = -g;
  s = 10 + v*time + g*time;
end Fall;
