model Crane "planar crane whose load has to follow a path"
  // Campbell 1995; Raha and Petzold 2000, section 5.6. The constants are inferred from the
  // logarithmic norms printed there, see docs/guide/partition.md.
  parameter Real M1 = 3000 "trolley";
  parameter Real M2 = 100 "cable and load";
  parameter Real m = 100 "load";
  parameter Real g = 9.8;
  parameter Real J = 45.8 "winch";
  parameter Real C1 = 0, C2 = 0 "friction of trolley and winch";
  parameter Real C3 = 1;
  Real x(start = 3), vx(start = 2.7) "load, horizontally";
  Real z(start = 21), vz(start = -2) "load, downwards";
  Real d(start = 1), vd(start = 2.7) "trolley";
  Real r(start = sqrt(445)), vr(start = -2) "cable length";
  Real theta(start = atan(2/21)) "cable angle";
  Real tau(start = 980) "cable tension";
  Real u1(start = 0), u2(start = 0) "force on the trolley, torque on the winch";
equation
  der(x) = vx;
  der(z) = vz;
  der(d) = vd;
  der(r) = vr;
  M2*der(vx) = -tau*sin(theta);
  M2*der(vz) = -tau*cos(theta) + m*g;
  M1*der(vd) = -C1*vd + u1 + tau*sin(theta);
  J*der(vr) = -C2*vr - C3*u2 + C3^2*tau;
  theta - atan((x - d)/z) = 0;
  r^2 - (x - d)^2 - z^2 = 0;
  x = 3 + 2.7*time - 0.0675*time^2;
  z = 21 - 2*time + 0.05*time^2;
  annotation (experiment(StopTime = 8));
end Crane;
