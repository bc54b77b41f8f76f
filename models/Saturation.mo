model Saturation "min, max, abs and smooth functions of time"
  // u = 2*sin(t) is cut at 1: at t = pi/6 and 5*pi/6.
  Real u = 2*sin(time);
  Real cut = min(max(u, -1), 1);
  Real rectified = abs(u);
  Real soft = smooth(1, if u > 0 then u^2 else 0);
  Real area(start = 0, fixed = true) "Of the rectified signal";
equation
  der(area) = rectified;
  annotation(experiment(StopTime = 6));
end Saturation;
