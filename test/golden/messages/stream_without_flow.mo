connector Port
  Real p;
  stream Real h;
end Port;

model M
  Port port;
equation
  port.p = 1;
  port.h = 2;
end M;
