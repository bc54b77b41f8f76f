model M "A range that does not move"
  Real x[:] = 1:0:5;
end M;
