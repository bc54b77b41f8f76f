model ClutchDrive "The ideal clutch as a component: it closes at t = 1"
  // 3*4 + 1*0 = (3 + 1)*3 for the angular momentum; the clutch carries an impulse of 3.
  import Lib.Rotational.*;
  Inertia drive(J = 3, phi(start = 0, fixed = true), w(start = 4, fixed = true));
  Clutch clutch;
  Inertia load(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Lib.Signal.BooleanStep close(startTime = 1);
equation
  connect(drive.b, clutch.a);
  connect(clutch.b, load.a);
  connect(close.y, clutch.closed);
  annotation(experiment(StopTime = 2));
end ClutchDrive;
