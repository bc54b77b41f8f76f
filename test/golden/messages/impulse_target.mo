model M "impulse() of a discrete variable"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    impulse(n);
  end when;
end M;
