model WhenTwice
  discrete Real n(start = 0);
equation
  when time > 1 then
    n = pre(n) + 1;
  end when;
  when time > 2 then
    n = pre(n) + 2;
  end when;
end WhenTwice;
