model BadAnnotation
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StopTime = "ten", Tolerance = -1, StartTime = 2, Interval = 0));
end BadAnnotation;
