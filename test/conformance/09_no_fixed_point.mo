// An event iteration that never settles.
model NoFixedPoint
  Boolean b(start = false, fixed = true);
equation
  b = not pre(b);
end NoFixedPoint;
