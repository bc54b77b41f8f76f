model M "A break without a loop, a return without a function"
  Real x;
algorithm
  x := 1;
  if time > 0.5 then
    break;
  end if;
  return;
end M;
