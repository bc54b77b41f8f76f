model Resistor
  parameter Real R = 1;
end Resistor;

model Source
  parameter Real V = 1;
end Source;

model Circuit
  replaceable Resistor load;
end Circuit;

model M
  Circuit circuit(redeclare Source load);
  Real x = 1;
end M;
