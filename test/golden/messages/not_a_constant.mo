package P
  model A
    parameter Real p = 1;
  end A;
end P;
model M "A parameter of a class, not of a component"
  Real x = P.A.p;
end M;
