model Tank
  Real level = 1;
end Tank;

block Sensor "A block is no model"
  extends Tank;
end Sensor;

model M
  Sensor sensor;
end M;
