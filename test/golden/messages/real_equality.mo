// What changes all the time is equal to something at instants; parameters and discrete values are compared as they are.
model M
  parameter Real p = 2;
  parameter Boolean same = p == 2;
  Real x = sin(time);
  Boolean b = x == 0.5;
  Boolean c = time <> 1;
end M;
