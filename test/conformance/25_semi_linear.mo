// semiLinear switches its slope.
model SemiLinear
  Real y = semiLinear(time - 1, 2, 3), z(start = 0, fixed = true);
equation
  der(z) = y;
end SemiLinear;
