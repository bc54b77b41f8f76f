model IdealClutch "Two wheels are joined at t = 1: their speeds jump, the torque is an impulse"
  // Angular momentum: (J1*w1 + J2*w2)/(J1 + J2) = (1*10 + 4*0)/5 = 2, and the impulse is 4*2 = 8.
  parameter Real J1 = 1, J2 = 4;
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true);
  Real tau "Of the clutch";
equation
  J1*der(w1) = -tau;
  J2*der(w2) = tau;
  if time < 1 then
    tau = 0;
  else
    w1 - w2 = 0;
  end if;
  annotation(experiment(StopTime = 2));
end IdealClutch;
