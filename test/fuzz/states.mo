// The model of state_fuzz: one of everything that a state keeps.
model Keeps
  parameter Real e = 0.7;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), F;
  Real s(start = 0.3, fixed = true);
  Real y = delay(x, 0.4);
  Real z(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(x) = v;
  der(v) = -9.81 + F;
  contact(x, F, e);
  der(s) = if s > 0 then -1 else 1;
  der(z) = y - z + (if on then 1 else 0);
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
  when z > 0.5 then
    on = false;
  elsewhen z < 0.2 then
    on = true;
  end when;
end Keeps;
