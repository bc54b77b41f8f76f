connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;

partial model TwoPin
  Pin p, n;
  Real v(unit = "V") = p.v - n.v;
equation
  0 = p.i + n.i;
end TwoPin;

model Resistor
  extends TwoPin;
  parameter Real R(unit = "Ohm") = 1;
equation
  v = R*p.i;
end Resistor;

model Source
  extends TwoPin;
equation
  v = 5;
end Source;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model Sensor
  extends TwoPin;
equation
  p.i = 0;
  n.i = 0;
end Sensor;

model Circuit
  Source source;
  Sensor sensor;
  Ground ground;
equation
  connect(source.p, sensor.p);
  connect(source.n, sensor.n);
  connect(source.n, ground.p);
end Circuit;
