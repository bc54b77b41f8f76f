// When-statements of one algorithm run in order.
model StatementOrder
  Integer y(start = 0, fixed = true);
algorithm
  when time >= 1 then
    y := 1;
  end when;
  when time >= 1 then
    y := y + 10;
  end when;
end StatementOrder;
