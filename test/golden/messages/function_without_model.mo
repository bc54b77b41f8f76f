function f "A function has no time, and so no derivatives"
  input Real u;
  output Real y;
algorithm
  y := der(u);
end f;

model M
  Real x = f(time);
end M;
