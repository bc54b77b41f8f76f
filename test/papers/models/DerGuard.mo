model DerGuard
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), y, w;
  Boolean b;
equation
  der(x) = v;
  der(v) = -x;
  y = x + 0*w;
  w + w^3 = y;
  b = der(der(y)) < 0;
end DerGuard;
