model Decay "Radioactive decay: x(t) = exp(-k*t)"
  parameter Real k(unit = "1/s") = 2;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 2));
end Decay;
