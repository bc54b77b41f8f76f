model Motor
  Real speed = 1, torque = 2;
end Motor;
model Car
  Motor motor;
  Real power = motor.speed*motor.torqe;
end Car;
