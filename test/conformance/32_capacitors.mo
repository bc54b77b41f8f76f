// Two capacitors are connected.
model Capacitors
  Real v1(start = 3, fixed = true), v2(start = 0, fixed = true), i;
equation
  der(v1) = -i;
  2 * der(v2) = i;
  if time < 1 then
    i = 0;
  else
    v1 = v2;
  end if;
end Capacitors;
