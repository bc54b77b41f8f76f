model Components
  parameter Integer n(min = 1) = 3 "count" annotation(Evaluate = true);
  constant Real c = 2, d[2] = {1, 2};
  discrete Real q(start = 0, fixed = true);
  input Real u if useInput;
  output .Modelica.Units.SI.Length y[n, :](each start = 1);
  inner outer World world(g = 9.81);
  inner World other = world;
  final parameter Real k = break;
  replaceable Part part[3](each final R = {1, 2, 3}, redeclare each final replaceable
    parameter Resistor r(R = 1) "resistor" constrainedby Pin(v = 1)) constrainedby Base "b";
  redeclare Part last(x.y(z = 1) = 2);
  Real[3] a, b[2] "b";
  A.B.C x(redeclare replaceable model M = N(p = 1) "m" annotation(), replaceable type T = Real[2],
    redeclare type E = enumeration(one, two), redeclare function g = der(f, x)) = y;
  flow Real i := 1;
end Components;
