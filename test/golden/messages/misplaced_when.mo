model M "when in an initial equation"
  Real x(start = 0);
initial equation
  when time > 1 then
    x = 1;
  end when;
equation
  der(x) = 1;
end M;
