model Valve
  Real q, p;
equation
  if time > 1 then
    q = 0;
    p = 1;
  else
    q = p;
  end if;
end Valve;
