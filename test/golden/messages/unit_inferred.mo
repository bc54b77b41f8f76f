model Chain "The unit of a follows from the first equation"
  Real x(unit = "m", start = 1), a, f(unit = "N");
  parameter Real m(unit = "kg") = 2;
equation
  a = der(x)/m;
  f = m*a;
  der(x) = 1;
end Chain;
