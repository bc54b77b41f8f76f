model SteadyStart "Initial equations, and a parameter that they determine"
  // At rest at the start: k*x0 = u with x0 = 4, u = 2 gives k = 0.5. After t = 1 the input is 3:
  // der(x) = 3 - 0.5*x from 4, so x = 6 - 2*exp(-(t - 1)/2).
  parameter Real k(fixed = false, start = 1);
  Real x(start = 4, fixed = true);
  Real u = if time < 1 then 2 else 3;
initial equation
  der(x) = 0;
equation
  der(x) = u - k*x;
  annotation(experiment(StopTime = 3));
end SteadyStart;
