// Friction as a state machine.
model Friction
  Real w(start = 2, fixed = true), a, f, sa;
  Boolean sf(start = false, fixed = true), sb(start = false, fixed = true), lk;
  Integer m(start = 3, fixed = true);
equation
  der(w) = a;
  a = 2 * time - f;
  sf = pre(m) == 0 and sa > 4 or initial() and w > 0;
  sb = pre(m) == 0 and sa < -4 or initial() and w < 0;
  lk = not (pre(m) == 1 or sf or pre(m) == -1 or sb);
  a = if lk then 0 elseif sf or pre(m) == 1 then sa - 4 else sa + 4;
  f = if lk then sa elseif sf or pre(m) == 1 then 4 else -4;
  m = if (pre(m) == 1 or sf) and w > 0 then 1 elseif (pre(m) == -1 or sb) and w < 0 then -1 else 0;
end Friction;
