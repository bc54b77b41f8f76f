// What fires at the start.
model AtStart
  Boolean c = sample(0, 10);
  Integer n1(start = 0, fixed = true), n2(start = 0, fixed = true), n3(start = 0, fixed = true);
equation
  when time >= 0 then
    n1 = pre(n1) + 1;
  end when;
  when c then
    n2 = pre(n2) + 1;
  end when;
  when {c, initial()} then
    n3 = pre(n3) + 1;
  end when;
end AtStart;
