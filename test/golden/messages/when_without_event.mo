model M "noEvent leaves nothing that could become true at an instant"
  Integer n(start = 0, fixed = true);
equation
  when noEvent(time > 0.5) then
    n = 1;
  end when;
end M;
