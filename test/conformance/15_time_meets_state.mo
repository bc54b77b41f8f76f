// A tick and a state event at one instant.
model TimeMeetsState
  Real x(start = 0, fixed = true);
  Boolean s = sample(1, 1), g = x >= 1, both(start = false, fixed = true);
equation
  der(x) = 1;
  when {s, g} then
    both = s and edge(g);
  end when;
end TimeMeetsState;
