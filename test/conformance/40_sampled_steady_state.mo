// A sampled system starts in its steady state.
model SampledSteadyState
  Real u = if time < 1.5 then 1 else 2;
  discrete Real y;
initial equation
  y = pre(y);
equation
  when {initial(), sample(1, 1)} then
    y = 0.5 * pre(y) + u;
  end when;
end SampledSteadyState;
