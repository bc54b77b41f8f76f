model Remainder
  Real x = mod(time, 0);
  parameter Integer n = div(7, 0);
end Remainder;
