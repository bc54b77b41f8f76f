model Tank
  Real level(start = 1);
equation
  der(level) = -level;
end Tank;

model Plant
  Tank tank(level = 2);
end Plant;
