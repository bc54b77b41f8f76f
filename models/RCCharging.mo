model RCCharging "A capacitor is charged through a resistor: 5*(1 - exp(-t/(R*C))), R*C = 0.2 s"
  import Lib.Electrical.*;
  ConstantVoltage source(V = 5);
  Resistor resistor(R = 100);
  Capacitor capacitor(C = 2e-3, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, resistor.p);
  connect(resistor.n, capacitor.p);
  connect(capacitor.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 1));
end RCCharging;
