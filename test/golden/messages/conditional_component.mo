model Sensor
  Real y = time;
end Sensor;

model Net
  parameter Boolean useSensor = false;
  Sensor sensor if useSensor;
  Real y;
equation
  y = sensor.y;
end Net;
