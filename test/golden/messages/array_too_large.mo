model Sums
  parameter Real s = sum(i*j*k for i in 1:1000, j in 1:1000, k in 1:1000);
  Real v[300] = fill(time, 300);
  Real t = sum(outerProduct(v, v)*outerProduct(v, v));
end Sums;
