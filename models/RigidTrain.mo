model RigidTrain "Three masses on rigid rods: one state, index 3; all move with F/(m1 + m2 + m3) = 2"
  import Lib.Translational.*;
  Mass m1(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Mass m2(m = 2);
  Mass m3(m = 3);
  Rod r1(L = 1);
  Rod r2(L = 2);
  Force engine;
  Lib.Signal.Constant pull(k = 12);
equation
  connect(m1.b, r1.a);
  connect(r1.b, m2.a);
  connect(m2.b, r2.a);
  connect(r2.b, m3.a);
  connect(engine.flange, m3.b);
  connect(pull.y, engine.f);
  annotation(experiment(StopTime = 3));
end RigidTrain;
