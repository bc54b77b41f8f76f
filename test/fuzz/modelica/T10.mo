model T10
  Real s = sum(fill(1.0, 0)), p = product(fill(2.0, 0)), z[2] = ones(2, 0)*fill(1.0, 0);
  Integer e[:] = 3:1; Real r[:] = 2.7:6.8; Real c[2, 1] = [{1, 2}];
end T10;
