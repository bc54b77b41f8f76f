model A Real y = 1; end A;
model M "A model is called"
  Real x = A(1);
end M;
