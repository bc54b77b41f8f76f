model M "The equation says something of time, nothing of n"
  Integer n;
equation
  n = time;
end M;
