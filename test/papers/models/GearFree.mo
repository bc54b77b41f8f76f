model GearFree "an ideal gear engages; what drives the first wheel is not modelled"
  Real w1(start = 1, fixed = true) annotation(__hydae(freeAtEvents = true));
  Real w2(start = 3, fixed = true), tau;
equation
  der(w1) = -tau;
  5*der(w2) = 2*tau;
  0 = if time < 0.5 then tau else w1 - 2*w2;
end GearFree;
