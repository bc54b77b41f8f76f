model ThrownBlock "A block lands, slides to rest and is pushed until it breaks loose"
  // It falls for 0.5 and lands with 5 downwards: the impact takes mu*5 = 1 from v = 4. It slides with
  // v' = -mu*g = -2 from v = 3 and rests at t = 2, x = 2 + 2.25. The push reaches mu_static*g = 3 at
  // t = 4; from there v' = 3*(t - 3) - 2.
  parameter Real g = 10, mu = 0.2, mu_static = 0.3;
  Real x(start = 0, fixed = true), v(start = 4, fixed = true);
  Real h(start = 1.25, fixed = true) "height", w(start = 0, fixed = true);
  Real F "force of the ground", T "friction", push = if time > 3 then 3*(time - 3) else 0;
equation
  der(x) = v;
  der(h) = w;
  der(v) = T + push;
  der(w) = F - g;
  contact(h, F, slip = v, friction = T, mu = mu, mu_static = mu_static);
  annotation(experiment(StopTime = 5));
end ThrownBlock;
