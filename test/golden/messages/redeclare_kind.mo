model A Real y = 1; end A;
model B replaceable model R = A; R r; end B;
model M "A model is replaced by a component"
  B b(redeclare Real R = 1);
end M;
