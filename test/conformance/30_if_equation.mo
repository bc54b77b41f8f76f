// An if-equation whose branches differ in index (OpenModelica issue 13861).
model IfEquation
  Real a(start = 1, fixed = true), b;
equation
  der(a) = 1;
  if time <= 3 then
    b = a;
  else
    der(b) = -1;
  end if;
end IfEquation;
