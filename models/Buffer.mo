model Buffer "A mass runs into a spring buffer and comes back"
  // At s = 0 from s = -1 with v = 2: contact from t = 0.5, half a period pi*sqrt(m/c) = pi/4 long;
  // then it leaves with v = -2.
  import Lib.Translational.*;
  Mass mass(m = 1, s(start = -1, fixed = true), v(start = 2, fixed = true));
  ElastoGap gap(c = 16, ds0 = 1);
  Fixed wall(s0 = 1);
equation
  connect(mass.b, gap.a);
  connect(gap.b, wall.flange);
  annotation(experiment(StopTime = 2));
end Buffer;
