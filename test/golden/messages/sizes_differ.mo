model M
  Real x[2] = {1, 2};
  Real y[3] = x;
  Real A[2, 3] = zeros(2, 3);
  Real z[2] = A*x;
end M;
