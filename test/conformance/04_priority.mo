// The first branch of a when wins; the edge of the other is spent.
model Priority
  Integer y(start = 0, fixed = true);
equation
  when time >= 1 then
    y = 1;
  elsewhen {time >= 1, time >= 2} then
    y = 2;
  end when;
end Priority;
