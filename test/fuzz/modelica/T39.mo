model T39
  parameter Boolean useT = true annotation(Evaluate = true);
  parameter Real T = if useT then 300 else 0.5*h;
  parameter Real h = if useT then 2*T else 100;
end T39;
