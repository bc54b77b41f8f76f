model IndexChange "An algebraic equation becomes a differential one"
  // b = sin(t) until t = 1; then der(b) = -1 from where it was: b = sin(1) - (t - 1).
  Real a = sin(time);
  Real b;
equation
  if time < 1 then
    b = a;
  else
    der(b) = -1;
  end if;
  annotation(experiment(StopTime = 3));
end IndexChange;
