model DrainingTank "Torricelli: sqrt(h) falls on a line"
  // A*h' = -a*sqrt(2*g*h): sqrt(h) = 2 - a/(2*A)*sqrt(2*g)*t with a/A = 0.01 and h = 4 at the start.
  import Lib.Hydraulic.*;
  Tank tank(A = 1, h(start = 4, fixed = true));
  Orifice hole(A = 0.01);
  Air air;
equation
  connect(tank.port, hole.a);
  connect(hole.b, air.port);
  annotation(experiment(StopTime = 60));
end DrainingTank;
