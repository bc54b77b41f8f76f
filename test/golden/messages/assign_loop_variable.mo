model M "The variable of a loop cannot be assigned"
  Real x;
algorithm
  for i in 1:3 loop
    i := 2;
    x := i;
  end for;
end M;
