partial model TwoPin
  Real v;
end TwoPin;

model M
  TwoPin load;
equation
  load.v = 1;
end M;
