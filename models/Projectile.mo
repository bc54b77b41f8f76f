model Projectile "Records, and an end by terminate"
  record Vector
    Real x;
    Real y;
  end Vector;
  // x = 3*t, y = 4*t - 9.81/2*t^2: down again after t = 8/9.81.
  parameter Vector v0 = Vector(3, 4);
  Vector r(x(start = 0, fixed = true), y(start = 0, fixed = true));
  Vector v(x(start = v0.x, fixed = true), y(start = v0.y, fixed = true));
  Real range(start = 0, fixed = true);
equation
  v.x = der(r.x);
  v.y = der(r.y);
  der(v.x) = 0;
  der(v.y) = -9.81;
  when r.y < 0 then
    range = r.x;
    terminate("it is down");
  end when;
  annotation(experiment(StopTime = 2));
end Projectile;
