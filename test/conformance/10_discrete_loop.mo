// A loop of discrete equations without pre.
model DiscreteLoop
  Boolean a, b;
equation
  a = not b;
  b = not a;
end DiscreteLoop;
