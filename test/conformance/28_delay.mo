// The past as polynomials.
model Delay
  Real y = delay(time ^ 2, 0.5), z(start = 0, fixed = true);
equation
  der(z) = y;
end Delay;
