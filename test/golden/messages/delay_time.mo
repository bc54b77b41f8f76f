model M "The delay time is negative"
  Real x = delay(time, -1);
  Real y = delay(time, 0.5*time);
end M;
