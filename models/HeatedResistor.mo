model HeatedResistor "A conditional heat port: the loss of a resistor warms a body"
  // 10 V on 5 Ohm are 20 W, into C = 40 J/K: T = 300 + t/2.
  import Lib.Electrical.*;
  ConstantVoltage source(V = 10);
  Resistor resistor(R = 5, useHeatPort = true);
  Ground ground;
  Lib.Thermal.HeatCapacitor body(C = 40, T(start = 300, fixed = true));
equation
  connect(source.p, resistor.p);
  connect(resistor.n, source.n);
  connect(source.n, ground.p);
  connect(resistor.heatPort, body.port);
  annotation(experiment(StopTime = 10));
end HeatedResistor;
