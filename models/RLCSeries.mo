model RLCSeries "Step response of a damped oscillating circuit"
  // L*q'' + R*q' + q/C = 1 with L = 1, R = 2, C = 0.2: (D + 1)^2 + 4, so
  // v = 1 - exp(-t)*(cos(2*t) + sin(2*t)/2).
  import Lib.Electrical.*;
  ConstantVoltage source(V = 1);
  Resistor resistor(R = 2);
  Inductor inductor(L = 1, i(start = 0, fixed = true));
  Capacitor capacitor(C = 0.2, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, resistor.p);
  connect(resistor.n, inductor.p);
  connect(inductor.n, capacitor.p);
  connect(capacitor.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 5));
end RLCSeries;
