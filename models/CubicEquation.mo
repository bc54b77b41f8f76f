model CubicEquation "A nonlinear algebraic equation, no derivative at all"
  // x^3 + x = t has one real root: x = 2/sqrt(3)*sinh(asinh(3*sqrt(3)/2*t)/3).
  Real x(start = 0);
equation
  x^3 + x = time;
  annotation(experiment(StartTime = -5, StopTime = 5));
end CubicEquation;
