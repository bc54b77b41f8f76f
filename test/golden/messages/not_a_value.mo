model A Real y = 1; end A;
model M "A class where a value is needed"
  Real x = A;
end M;
