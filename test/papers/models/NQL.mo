model NQL "x1'' occurs in a square and in exp: not quasilinear"
  Real x1(start=1), x2(start=0.1);
equation
  der(der(x1))^2 + exp(der(der(x1))) + x2 - 1 = 0;
  x1^2 + x2 = 1;
end NQL;
