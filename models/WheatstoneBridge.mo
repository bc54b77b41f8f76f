model WheatstoneBridge "Resistors only: a linear system"
  // The dividers give 10*2/(1 + 2) and 10*3/(3 + 1); the bridge is open: v = 20/3 - 7.5.
  import Lib.Electrical.*;
  ConstantVoltage source(V = 10);
  Resistor r[4](R = {1, 2, 1, 3});
  Lib.Electrical.ConstantCurrent meter(I = 0);
  Ground ground;
equation
  connect(source.p, r[1].p);
  connect(source.p, r[3].p);
  connect(r[1].n, r[2].p);
  connect(r[3].n, r[4].p);
  connect(r[2].n, source.n);
  connect(r[4].n, source.n);
  connect(meter.p, r[1].n);
  connect(meter.n, r[3].n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 1));
end WheatstoneBridge;
