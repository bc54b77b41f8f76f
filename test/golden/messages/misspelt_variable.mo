model Tank
  parameter Real area = 1;
  Real level(start = 1), outflow;
equation
  area*der(level) = -outflow;
  outflow = 0.1*sqrt(levle);
end Tank;
