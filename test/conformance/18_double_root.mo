// Grazing, and two roots close together.
model DoubleRoot
  parameter Real e = 0;
  Real x = (time - 1) ^ 2 - e;
  Integer n(start = 0, fixed = true);
equation
  when x < 0 then
    n = pre(n) + 1;
  end when;
end DoubleRoot;
