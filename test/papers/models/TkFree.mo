model TkFree "the first level may jump where the tanks are joined, the second stays"
  Real h1(start = 3, fixed = true) annotation(__hydae(freeAtEvents = true));
  Real h2(start = 1, fixed = true), q;
equation
  der(h1) = -q;
  2*der(h2) = q;
  0 = if time < 0.5 then q else h1 - h2;
end TkFree;
