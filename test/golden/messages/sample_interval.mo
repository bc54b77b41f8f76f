model Clocked
  parameter Real period = 0;
  Integer n(start = 0, fixed = true);
equation
  when sample(0, period) then
    n = pre(n) + 1;
  end when;
end Clocked;
