function f input Real u; output Real y; algorithm y := u; end f;
model M "Two results of a function that has one"
  Real a, b;
equation
  (a, b) = f(time);
end M;
