// The bouncing ball, which comes to rest.
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean fly;
equation
  der(h) = v;
  der(v) = if fly then -9.81 else 0;
  fly = not (h <= 0 and v <= 0);
  when h < 0 then
    reinit(v, -0.7 * pre(v));
  end when;
end Ball;
