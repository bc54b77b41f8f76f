model M "pre of a sum"
  discrete Real x(start = 0, fixed = true);
equation
  when time > 1 then
    x = pre(x + 1);
  end when;
end M;
