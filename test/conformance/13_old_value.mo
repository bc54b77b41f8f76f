// reinit acts after all other evaluations (ModelicaSpecification issue 695).
model OldValue
  Real x(start = 0, fixed = true);
  discrete Real d(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(1, 1) then
    reinit(x, x + 1);
    d = x;
  end when;
end OldValue;
