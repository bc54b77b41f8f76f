record A constant Real pi = 3.14; Real y; Integer i; end A;
model T43 parameter A a(y = 1, i = 2); A b(y = time, i = 3); parameter Real p(start = 2); Real z = p; end T43;
