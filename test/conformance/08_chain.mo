// A chain of passes at one instant.
model Chain
  Integer i(start = 0, fixed = true);
  Boolean b = time >= 1;
equation
  i = if b and pre(i) < 3 then pre(i) + 1 else pre(i);
end Chain;
