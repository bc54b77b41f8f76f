model Wave
  parameter Real k(unit = "1/m") = 2;
  Real x(unit = "m") = 3;
  Real y = sin(k*x);
  Real z = exp(x);
  Real area(unit = "m2") = x^2;
  Real side(unit = "m") = sqrt(area) + x/k;
end Wave;
