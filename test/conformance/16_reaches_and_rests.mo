// A guard that reaches zero and stays there (OpenModelica issue 13680).
model ReachesAndRests
  Real x = if time < 0.5 then 1 else 1 - 4 * (time - 0.5);
  Real y = smooth(0, noEvent(if x > 0 then x else 0));
  Boolean b = y > 0;
end ReachesAndRests;
