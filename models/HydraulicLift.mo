model HydraulicLift "A pump lifts a mass: the piston moves with q/A whatever it carries"
  // q = 2e-3, A = 1e-2: s = 0.2*t; the pressure holds m*g: 1000*9.81/1e-2.
  Lib.Hydraulic.Pump pump;
  Lib.Signal.Constant flow_(k = 2e-3);
  Lib.Hydraulic.Cylinder cylinder(A = 1e-2, flange(s(start = 0, fixed = true)));
  Lib.Translational.HeavyMass load(m = 1000);
  inner Lib.Translational.World world;
equation
  connect(flow_.y, pump.q);
  connect(pump.port, cylinder.port);
  connect(cylinder.flange, load.a);
  annotation(experiment(StopTime = 5));
end HydraulicLift;
