connector P Real v; flow Real i; end P;
model M "A root that is no overdetermined part"
  P p;
equation
  Connections.root(p.v);
end M;
