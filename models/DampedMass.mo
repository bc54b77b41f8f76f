model DampedMass "A mass that a damper slows down: v = 3*exp(-2*t), s = 1.5*(1 - exp(-2*t))"
  import Lib.Translational.*;
  Mass mass(m = 0.5, s(start = 0, fixed = true), v(start = 3, fixed = true));
  Damper damper(d = 1);
  Fixed wall;
equation
  connect(mass.b, damper.a);
  connect(damper.b, wall.flange);
  annotation(experiment(StopTime = 3));
end DampedMass;
