model T02
  Real a = 2^-1;
  Real b = 2*-2;
  Boolean c = 1 < 2 < 3;
  Real d = 1;
end T02;
