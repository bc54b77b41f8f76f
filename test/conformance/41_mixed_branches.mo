// A state becomes algebraic, its equations in another order than before (OpenModelica issue 10787:
// a division by zero there). b reaches zero just when it is set to it; a jumps.
model MixedBranches
  Boolean running(start = true, fixed = true);
  Real a(start = 2), b(start = 10, fixed = true);
equation
  if running then
    a = time + 2;
    der(b) = -1;
  else
    b = 0;
    a = 0;
  end if;
  when time > 10 then
    running = false;
  end when;
end MixedBranches;
