model CommunicatingTanks "Two tanks and a laminar pipe: the levels meet"
  // A1 = 1, A2 = 3, h = 4 and 0: they meet at 1. The difference decays with k*rho*g*(1/A1 + 1/A2).
  import Lib.Hydraulic.*;
  Tank left(A = 1, h(start = 4, fixed = true));
  Tank right(A = 3, h(start = 0, fixed = true));
  Pipe pipe(k = 1e-5);
equation
  connect(left.port, pipe.a);
  connect(pipe.b, right.port);
  annotation(experiment(StopTime = 30));
end CommunicatingTanks;
