model Steps
  discrete Real d;
equation
  d = if time > 0.3 then 5 else 4;
end Steps;
