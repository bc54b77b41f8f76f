model Fold "x^3 - 3x + p = 0: three solutions for -2 < p < 2, one beyond"
  parameter Real p = 0;
  Real x(start = 2);
equation
  x^3 - 3*x + p = 0;
end Fold;
