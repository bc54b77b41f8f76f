function f input Real u; output Real y; algorithm
  u := 2;
  y := u;
end f;
model M "An input cannot be assigned"
  Real x = f(time);
end M;
