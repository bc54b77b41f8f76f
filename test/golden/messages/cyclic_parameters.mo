model Loop
  parameter Real a = 2*b;
  parameter Real b = c + 1;
  parameter Real c = a - 3;
  Real x = a*time;
end Loop;
