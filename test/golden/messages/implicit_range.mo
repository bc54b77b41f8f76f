model M "Nothing says how far i runs"
  Real x;
equation
  for i loop
    x = i;
  end for;
end M;
