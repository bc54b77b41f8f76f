model ReinitWrong
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x; y = 2*x;
  when x < 0.5 then
    reinit(y, 4);
  end when;
end ReinitWrong;
