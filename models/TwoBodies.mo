model TwoBodies "A hot and a cold body exchange heat"
  // C1 = 1, C2 = 3, G = 1.5: the difference decays with G*(1/C1 + 1/C2) = 2, the end is 325 K.
  import Lib.Thermal.*;
  HeatCapacitor hot(C = 1, T(start = 400, fixed = true));
  HeatCapacitor cold(C = 3, T(start = 300, fixed = true));
  Conductor link(G = 1.5);
equation
  connect(hot.port, link.a);
  connect(link.b, cold.port);
  annotation(experiment(StopTime = 3));
end TwoBodies;
