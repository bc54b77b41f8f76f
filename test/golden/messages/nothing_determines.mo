connector Port
  Real p;
  flow Real q;
end Port;

model Valve
  Port inlet, outlet;
  Real opening;
equation
  inlet.q = opening*(inlet.p - outlet.p);
  outlet.q = -inlet.q;
end Valve;

model Tank
  Port port;
  Real level(start = 1);
equation
  der(level) = port.q;
  port.p = level;
end Tank;

model Plant
  Tank high(level(start = 2)), low;
  Valve v;
equation
  connect(high.port, v.inlet);
  connect(v.outlet, low.port);
end Plant;
