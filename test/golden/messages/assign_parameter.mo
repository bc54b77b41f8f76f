model M "A parameter cannot be assigned"
  parameter Real p = 1;
  Real x = p;
algorithm
  p := 2;
end M;
