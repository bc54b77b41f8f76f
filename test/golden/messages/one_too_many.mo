model Tank
  Real h(start = 1, fixed = true), q;
equation
  der(h) = -q;
  q = 0.1*h;
  q = 0.2;
end Tank;
