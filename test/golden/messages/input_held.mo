model M "Nobody gives the input"
  input Real u(start = 1);
  Real x = u;
end M;
