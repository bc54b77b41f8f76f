model Oscillator "x = cos(2*t): a second derivative through two first ones"
  parameter Real w(unit = "rad/s") = 2;
  Real x(unit = "m", start = 1, fixed = true);
  Real v(unit = "m/s", start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -w^2*x;
  annotation(experiment(StopTime = 5));
end Oscillator;
