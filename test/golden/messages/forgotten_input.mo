connector In = input Real;
connector Out = output Real;

block Gain
  parameter Real k = 1;
  In u;
  Out y;
equation
  y = k*u;
end Gain;

block Clock
  Out y;
equation
  y = time;
end Clock;

model Chain
  Clock clock;
  Gain first(k = 2);
  Gain second(k = 3);
equation
  connect(clock.y, first.u);
end Chain;
