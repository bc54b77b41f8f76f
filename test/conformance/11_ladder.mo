// reinit that sets off the next clause (ModelicaSpecification issue 3813).
model Ladder
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  when x < 0 then
    reinit(x, 0.2);
  elsewhen x > 0.1 then
    reinit(x, 0.4);
  elsewhen x > 0.3 then
    reinit(x, 0.6);
  elsewhen x > 0.5 then
    reinit(x, 0.8);
  elsewhen x > 0.7 then
    reinit(x, 1.0);
  end when;
end Ladder;
