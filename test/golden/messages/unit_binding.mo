type Length = Real(unit = "m");
type Mass = Real(unit = "kg");

model Rod
  parameter Length L = 2;
  parameter Mass m = 3;
  parameter Real J(unit = "kg.m2") = m*L/12;
  Real x = J*time;
end Rod;

model Machine
  Rod rod;
end Machine;
