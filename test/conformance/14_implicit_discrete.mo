// A discrete Real that its equation gives implicitly.
model ImplicitDiscrete
  discrete Real x(start = 1, fixed = true);
equation
  when sample(1, 1) then
    x = 3 * pre(x) - x ^ 2;
  end when;
end ImplicitDiscrete;
