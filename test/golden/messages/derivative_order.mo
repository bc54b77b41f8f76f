model M "There is no derivative of order 0"
  Real x;
equation
  der(x, 0) = 1;
end M;
