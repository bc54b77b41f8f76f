expandable connector Sensors
  Real speed;
end Sensors;

expandable connector Bus
  Sensors sub;
end Bus;

model Car
  Bus bus;
equation
  connect(bus, bus.sub);
end Car;
