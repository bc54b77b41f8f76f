model BadIndex
  Real x[3] = {1, 2, 3};
  Real y = x[4];
  Real z = x[0];
  Real w = x[1.5];
end BadIndex;
