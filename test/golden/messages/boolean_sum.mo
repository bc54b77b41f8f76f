model BoolPlus
  Boolean on = time > 1;
  Real y;
equation
  y = on + 2;
end BoolPlus;
