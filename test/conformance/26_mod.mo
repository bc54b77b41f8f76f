// mod and integer count together.
model Mod
  Real z(start = 0, fixed = true);
  Integer i = integer(time / 0.3);
equation
  der(z) = mod(time, 0.3);
end Mod;
