model DCMotor "Electrical and rotational: a motor without inductance speeds up"
  // J*w' = k*(V - k*w)/R with J = 0.5, k = 2, R = 4, V = 12: w = 6*(1 - exp(-2*t)).
  import Lib.Electrical.*;
  ConstantVoltage source(V = 12);
  Resistor winding(R = 4);
  Motor motor(k = 2);
  Ground ground;
  Lib.Rotational.Inertia rotor(J = 0.5, phi(start = 0, fixed = true), w(start = 0, fixed = true));
equation
  connect(source.p, winding.p);
  connect(winding.n, motor.p);
  connect(motor.n, source.n);
  connect(source.n, ground.p);
  connect(motor.flange, rotor.a);
  annotation(experiment(StopTime = 3));
end DCMotor;
