model T47 Real x(start = -1);
algorithm if time > 1 then x := time; end if; end T47;
