connector Pin
  Real v;
  flow Integer n;
end Pin;

model M
  Pin p;
equation
  p.v = 1;
end M;
