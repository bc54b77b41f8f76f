model BouncingBall "Impacts by reinit"
  // Falls from h0 in t1 = sqrt(2*h0/g); the k-th flight after it lasts 2*t1*e^k.
  parameter Real e = 0.8 "Of the speed is left after an impact";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real h0(unit = "m") = 1;
  Real h(unit = "m", start = h0, fixed = true);
  Real v(unit = "m/s", start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
  annotation(experiment(StopTime = 3));
end BouncingBall;
