model PID
  parameter Real k = 1;
end PID;

model Loop
  PID pid(final k = 2);
end Loop;

model Control
  Loop outer_loop(pid(k = 3));
end Control;
