model M "A matrix to a large power"
  parameter Real A[2,2] = {{1, 0}, {0, 1}}^2000;
  Real x = A[1,1];
end M;
