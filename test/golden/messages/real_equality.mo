model RealEquality
  Real x(start = 0, fixed = true);
  Boolean b = x == 1;
  Boolean c = x <> 1 and noEvent(x <> 2);
  parameter Real p = 1;
  Boolean d = p == 1 "of parameters nothing is said";
equation
  der(x) = 1;
end RealEquality;
