model Resistor
  parameter Real R = 1;
end Resistor;

model Circuit
  Resistor r[3](R = 1);
end Circuit;
