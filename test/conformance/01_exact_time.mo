// A time event: der(x) changes at 1.
model ExactTime
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 1 then 1 else 2;
end ExactTime;
