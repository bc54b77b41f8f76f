model World
  parameter Real g = 9.81;
end World;

model Arm
  outer World world;
  Real w = world.g*time;
end Arm;

model Robot
  Arm arm;
end Robot;
