expandable connector Bus
  Spede v;
end Bus;

model Car
  Bus bus;
  Real x = time;
end Car;
