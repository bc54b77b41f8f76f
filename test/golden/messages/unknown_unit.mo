// A unit that is not understood takes part in no comparison; each text is told once.
model M
  Real x(unit = "foo") = time;
  Real y(unit = "foo") = 2*x;
  Real z(unit = "m/s", displayUnit = "furlong") = 1;
end M;
