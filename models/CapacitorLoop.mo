model CapacitorLoop "A capacitor on a voltage source: its current is a derivative of the source (index 2)"
  // v = sin(3*t), i = C*3*cos(3*t)
  parameter Real C(unit = "F") = 0.5;
  Real v(unit = "V"), i(unit = "A");
  constant Real w(unit = "rad/s") = 3;
  constant Real V(unit = "V") = 1;
equation
  v = V*sin(w*time);
  i = C*der(v);
  annotation(experiment(StopTime = 2));
end CapacitorLoop;
