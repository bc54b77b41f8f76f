connector Port
  Real p;
  flow Real q;
end Port;

model Valve
  Port inlet, outlet;
  input Real opening;
  Real flow_;
equation
  flow_ = opening*(inlet.p - outlet.p);
  inlet.q = flow_;
  outlet.q = -flow_;
end Valve;

model Plant
  Valve v(opening = 0.5);
  Real level(start = 1);
  Real demand;
equation
  der(level) = demand - v.flow_;
  v.inlet.p = level;
  v.outlet.p = 0;
end Plant;
