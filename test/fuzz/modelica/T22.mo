model A Real x(unit = "m") = 1; end A;
model T22 A a(x.start = 2, x(start = 3)); A b(x.nominal = 2, x(start = 1) = 4); end T22;
