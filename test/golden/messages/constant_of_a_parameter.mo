model M
  parameter Real p = 1;
  constant Real c = 2*p;
  Real x = c*time;
end M;
