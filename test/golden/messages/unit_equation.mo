model Pump
  Real u(unit = "V"), i(unit = "A");
equation
  i = 2;
  u = i;
end Pump;
