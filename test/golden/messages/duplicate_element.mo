model M "Two variables of one name"
  Real x = 1;
  Real x = 2;
end M;
