model TorsionalOscillator "Two inertias on a shaft swing against each other"
  // Reduced inertia 1*3/(1 + 3) = 0.75, c = 12: w = 4. The twist is 0.4*cos(4*t), split 3:1.
  import Lib.Rotational.*;
  Inertia left(J = 1, phi(start = -0.3, fixed = true), w(start = 0, fixed = true));
  Spring shaft(c = 12);
  Inertia right(J = 3, phi(start = 0.1, fixed = true), w(start = 0, fixed = true));
equation
  connect(left.b, shaft.a);
  connect(shaft.b, right.a);
  annotation(experiment(StopTime = 4));
end TorsionalOscillator;
