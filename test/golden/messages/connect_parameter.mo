connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  parameter Real R = 1;
  Pin p, n;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;
model Circuit
  Resistor r1, r2;
equation
  connect(r1.p, r2.n);
  connect(r2.p, r1.R);
end Circuit;
