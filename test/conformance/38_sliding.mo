// Two relays that hold each other (OpenModelica issue 12190).
model Sliding
  Real x(start = 1.5, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = if y > x then -3 else 1.5;
end Sliding;
