model LotkaVolterra "Hares and lynxes; log(h) + log(l) - h - l stays what it was"
  Real hares(start = 2, fixed = true), lynxes(start = 1, fixed = true);
  Real invariant = log(hares) + log(lynxes) - hares - lynxes;
equation
  der(hares) = hares*(1 - lynxes);
  der(lynxes) = lynxes*(hares - 1);
  annotation(experiment(StopTime = 20));
end LotkaVolterra;
