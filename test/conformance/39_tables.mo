// Tables of the standard library.
model Tables
  Modelica.Blocks.Sources.CombiTimeTable t(table = [0, 0; 1, 1; 1, 2; 3, 0]);
  Modelica.Blocks.Sources.CombiTimeTable q(table = [0, 0; 1, 1; 2, 4; 3, 9],
    smoothness = Modelica.Blocks.Types.Smoothness.ContinuousDerivative);
  Real z(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  der(z) = t.y[1];
  der(c) = q.y[1];
end Tables;
