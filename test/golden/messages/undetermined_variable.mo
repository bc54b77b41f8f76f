model Tank
  Real level(start = 1);
  Real inflow;
  Real outflow;
equation
  der(level) = inflow - outflow;
  outflow = 0.1*level;
end Tank;
