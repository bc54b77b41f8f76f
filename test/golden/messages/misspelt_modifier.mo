model Motor
  parameter Real inertia = 1;
  Real x(start = 0, strat = 1) = inertia*time;
end Motor;
model Car
  Motor motor(inertai = 2);
end Car;
