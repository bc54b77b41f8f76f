model Loop
  Real x, y, z;
equation
  x + y = 1;
  x - y = time;
  x = 2*y;
end Loop;
