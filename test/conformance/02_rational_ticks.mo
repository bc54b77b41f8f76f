// Ticks of sample are rational numbers: 3*0.1 meets 0.3.
model RationalTicks
  Boolean a = sample(0, 0.1), b = sample(0, 0.3);
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  when a then
    n = pre(n) + 1;
  end when;
  when a and b then
    k = pre(k) + 1;
  end when;
end RationalTicks;
