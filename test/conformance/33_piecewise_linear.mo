// A piecewise linear system (OpenModelica issue 15043).
model PiecewiseLinear
  Real x = sin(time), y, z;
equation
  x + (if y > 0 then 2 * y else y) - z = 0;
  3 * x + y - 1 + z = 0;
end PiecewiseLinear;
