model EquationsThatDepend
  Real x, y;
equation
  x + y = 1;
  x + y = 2;
end EquationsThatDepend;
