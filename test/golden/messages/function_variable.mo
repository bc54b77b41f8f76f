function f "The local variable is not protected"
  input Real u;
  output Real y;
  Real half = u/2;
protected
  input Real nobody;
algorithm
  y := half;
end f;

model M
  Real x = f(1);
end M;
