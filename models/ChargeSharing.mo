model ChargeSharing "A switch joins two capacitors: the charge is kept, the current is an impulse"
  // C1 = 1 at 9 V and C2 = 2 at 0 V: 3 V on both after t = 1, and a charge of 6 flows at once.
  import Lib.Electrical.*;
  Capacitor c1(C = 1, v(start = 9, fixed = true));
  Capacitor c2(C = 2, v(start = 0, fixed = true));
  Switch switch;
  Ground ground;
  Lib.Signal.BooleanStep close(startTime = 1);
equation
  connect(c1.p, switch.p);
  connect(switch.n, c2.p);
  connect(c1.n, ground.p);
  connect(c2.n, ground.p);
  connect(close.y, switch.closed);
  annotation(experiment(StopTime = 2));
end ChargeSharing;
