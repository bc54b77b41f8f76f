model M "Two subscripts of a vector"
  Real v[3] = {1, 2, 3};
  Real x = v[1, 2];
end M;
