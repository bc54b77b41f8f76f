model RodPendulum "A rigid bar on a pin as a multibody system by hand: a body with three coordinates and two joint forces"
  // The bar turns about its end with the moment of inertia m*L^2/3: it is a pendulum of length
  // 2/3*L, so from the horizontal its period is 4*sqrt(2*L/(3*g))*K(sin(pi/4)).
  parameter Real L(unit = "m") = 1.5 "Length of the bar";
  parameter Real m(unit = "kg") = 2;
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real J(unit = "kg.m2") = m*L^2/12 "About its middle";
  Real x(unit = "m", start = 0.75), y(unit = "m", start = 0) "Middle of the bar";
  Real phi(unit = "rad", start = 0, fixed = true) "Angle above the horizontal";
  Real vx(unit = "m/s"), vy(unit = "m/s");
  Real w(unit = "rad/s", start = 0, fixed = true);
  Real Fx(unit = "N"), Fy(unit = "N") "Of the pin on the bar";
equation
  vx = der(x);
  vy = der(y);
  w = der(phi);
  m*der(vx) = Fx;
  m*der(vy) = Fy - m*g;
  // The pin is at (-L/2*cos(phi), -L/2*sin(phi)) from the middle.
  J*der(w) = -L/2*cos(phi)*Fy + L/2*sin(phi)*Fx;
  x = L/2*cos(phi);
  y = L/2*sin(phi);
  annotation(experiment(StopTime = 3));
end RodPendulum;
