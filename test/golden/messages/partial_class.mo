partial function f input Real u; output Real y; end f;
model M "A partial function is called"
  Real x = f(time);
end M;
