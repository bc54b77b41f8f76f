model Deadbeat "A sampled controller: what is off at one sample is gone at the next"
  // Plant der(x) = u, samples every T = 0.5: u = -x/T brings x from 1 to 0 at t = 0.5, on a line.
  parameter Real T(unit = "s") = 0.5;
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0);
  Integer samples(start = 0, fixed = true);
equation
  der(x) = u;
  when sample(0, T) then
    u = -x/T;
    samples = pre(samples) + 1;
  end when;
  annotation(experiment(StopTime = 1.75));
end Deadbeat;
