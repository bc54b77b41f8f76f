// Switches without events.
model AbsAndSign
  Real x(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = abs(time - 1);
  der(w) = sign(1 - time);
end AbsAndSign;
