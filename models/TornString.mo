model TornString "A mass on a string, in the plane without gravity; the string tears at t = 1"
  // Until t = 1 on the unit circle with angular velocity 2: (cos 2t, sin 2t). Then straight on along
  // the tangent. The index drops from 3 to 1.
  Real x(start = 1, fixed = true), y(start = 0);
  Real vx, vy(start = 2, fixed = true);
  Real F "Tension per mass and length";
equation
  vx = der(x);
  vy = der(y);
  der(vx) = -F*x;
  der(vy) = -F*y;
  if time < 1 then
    x^2 + y^2 = 1;
  else
    F = 0;
  end if;
  annotation(experiment(StopTime = 2));
end TornString;
