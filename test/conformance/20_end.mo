// terminate, terminal() and an assertion that is not reached.
model End
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  when x < 0.5 then
    terminate("half");
  end when;
  when terminal() then
    n = 1;
  end when;
  assert(x > 0.4, "low");
end End;
