model M "A when-equation that determines nothing"
  discrete Real x(start = 0, fixed = true);
equation
  when time > 1 then
    x + 1 = 2;
  end when;
end M;
