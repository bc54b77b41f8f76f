model Rectifier "An ideal diode and a resistor: only the positive half of the sine"
  import Lib.Electrical.*;
  SineVoltage source(V = 2, frequency = 1);
  IdealDiode diode;
  Resistor load(R = 10);
  Ground ground;
equation
  connect(source.p, diode.p);
  connect(diode.n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 2.2));
end Rectifier;
