// An algebraic variable becomes a state.
model IndexDrop
  Real x;
equation
  1 = if time < 0.5 then x else der(x);
end IndexDrop;
