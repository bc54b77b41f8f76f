// A guard that is zero all the time.
model FlatZero
  Real x(start = 0, fixed = true);
  Boolean p = x >= 0, q = x > 0;
equation
  der(x) = 0;
end FlatZero;
