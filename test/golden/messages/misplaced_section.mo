record R "A record has components only"
  Real a;
equation
  a = 1;
end R;

function f "A function has one body"
  input Real u;
  output Real y;
algorithm
  y := u;
algorithm
  y := 2*u;
end f;

model M
  R r;
  Real x = f(1);
end M;
