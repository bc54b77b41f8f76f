// A when-body sees the solution of its mixed system (ModelicaSpecification issue 3909).
model FinalValue
  Real x, t, z;
  Boolean b = x < 2;
  discrete Real o(start = 0, fixed = true);
equation
  x + t + z = 3;
  t = if b then 2 * time else time;
  z = if x < 1.9 then 1 else 0;
  when b then
    o = x;
  end when;
end FinalValue;
