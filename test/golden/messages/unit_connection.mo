connector In = input Real;
connector Out = output Real;

block Source
  Out y(unit = "V");
equation
  y = 1;
end Source;

block Motor
  In tau(unit = "N.m");
  Real w;
equation
  der(w) = tau;
end Motor;

model Drive
  Source source;
  Motor motor;
equation
  connect(source.y, motor.tau);
end Drive;
