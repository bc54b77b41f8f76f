model World
  parameter Real g = 9.81;
end World;

model Body
  outer World world(g = 1.6);
  Real weight = world.g;
end Body;

model M
  inner World world;
  Body body;
end M;
