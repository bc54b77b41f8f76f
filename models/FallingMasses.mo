model FallingMasses "inner and outer: all masses feel the one world; on the moon, s = -1.62/2*t^2"
  import Lib.Translational.*;
  inner World world(g = 1.62);
  HeavyMass free(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
  // On a spring with c/m = 4 it swings about -g/4: s = -0.405*(1 - cos(2*t)).
  HeavyMass hanging(m = 3, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Spring spring(c = 12);
  Fixed ceiling;
equation
  connect(ceiling.flange, spring.a);
  connect(spring.b, hanging.a);
  annotation(experiment(StopTime = 3));
end FallingMasses;
