// A state becomes algebraic (ModelicaSpecification issue 2411).
model VariableStructure
  Real x(start = 0, fixed = true);
equation
  if time < 0.5 then
    der(x) = 10;
  else
    x = -5;
  end if;
end VariableStructure;
