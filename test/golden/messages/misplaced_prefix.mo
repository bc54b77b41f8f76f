connector Pin
  Real v;
  flow parameter Real i = 1;
end Pin;

model M "Flows belong to connectors, and change"
  Pin p;
  flow Real q;
equation
  p.v = 1;
  q = 1;
end M;
