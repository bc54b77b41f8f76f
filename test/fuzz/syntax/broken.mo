within;
﻿model Broken
  Real flow = 2^-1 != 3 % 4;
  Real x(start = [1 2; 3;
equation
  x := y = z == 1
  if a then elif b {
  der x;
end if end Other;
/* "
