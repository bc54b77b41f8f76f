// A thyristor remembers that it conducts.
model Thyristor
  Real u = sin(time), v, i, s;
  Boolean fire = time >= 1 and time < 1.1, off(start = true, fixed = true);
equation
  off = s < 0 or pre(off) and not fire;
  v = s * (if off then 1 else 1e-5);
  i = s * (if off then 1e-5 else 1);
  u = v + i;
end Thyristor;
