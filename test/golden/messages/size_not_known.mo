model Mix
  parameter Integer n(fixed = false);
  Real x[n] = ones(n);
initial equation
  n = 3;
end Mix;
