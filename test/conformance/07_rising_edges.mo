// Only rising edges fire.
model RisingEdges
  Real x = sin(time);
  Integer n(start = 0, fixed = true);
equation
  when x > 0.5 then
    n = pre(n) + 1;
  end when;
end RisingEdges;
