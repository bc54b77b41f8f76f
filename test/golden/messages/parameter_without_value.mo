model NoValue
  parameter Real R;
  parameter Real L(start = 1);
  Real i(start = 0, fixed = true);
equation
  L*der(i) + R*i = 1;
end NoValue;
