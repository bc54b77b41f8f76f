connector Pin
  Real v;
  flow Real i;
end Pin;

connector Port
  Real T;
  flow Real Q;
end Port;

model Resistor
  Pin p;
  Port heat;
equation
  p.v = p.i;
  heat.Q = 0;
end Resistor;

model Circuit
  Resistor a, b;
equation
  connect(a.p, b.heat);
end Circuit;
