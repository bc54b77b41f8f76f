model GearedDrive "A torque drives two inertias through a gear"
  // Seen from the motor: J = 1 + 8/2^2 = 3; with the torque 6: w = 2*t, behind the gear w = t.
  import Lib.Rotational.*;
  Torque motor;
  Lib.Signal.Constant torque(k = 6);
  Inertia rotor(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Gear gear(ratio = 2);
  Inertia load(J = 8);
equation
  connect(torque.y, motor.tau);
  connect(motor.flange, rotor.a);
  connect(rotor.b, gear.a);
  connect(gear.b, load.a);
  annotation(experiment(StopTime = 2));
end GearedDrive;
