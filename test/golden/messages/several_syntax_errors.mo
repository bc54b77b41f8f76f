model M
  Real x = 2 +;
  Real y
  Real z;
equation
  x := 1;
  if x > 1 then
    y = 2
  else
    y = 3;
  end if;
  z == 4;
end N;
