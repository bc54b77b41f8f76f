model M "Two start values for one variable"
  Real x(start = 1, fixed = true);
  Real y(start = 2, fixed = true);
equation
  x = y;
  der(x) = -x;
end M;
