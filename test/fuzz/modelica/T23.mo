record A parameter Real x; parameter Real y; end A;
model B parameter A a = A(2, 3); end B;
model T23 B b(a(x = 4)); end T23;
