function f input Real a; input Real b = 2*a; output Real y = a + b; end f;
model T44 Real u = f(3); Real v = f(b = 1, a = 5); Real w = f(1, a = 2); end T44;
