model SpringMass "s = 1 + 0.5*cos(5*t): mass 2 on a spring of 50"
  import Lib.Translational.*;
  Fixed wall;
  Spring spring(c = 50, ds0 = 1);
  Mass mass(m = 2, s(start = 1.5, fixed = true), v(start = 0, fixed = true));
equation
  connect(wall.flange, spring.a);
  connect(spring.b, mass.a);
  annotation(experiment(StopTime = 4));
end SpringMass;
