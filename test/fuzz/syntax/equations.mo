model Equations
initial equation
  x = 1;
  der(x) = 0 "steady";
equation
  der(x) + 2*y = -z^2 "balance" annotation(Inline = true);
  (a, , b) = f(x, y);
  if initial() then
    x = 1;
  elseif n > 1 and not b then
  else
    y = 2;
    if a then z = 1; end if;
  end if "block";
  for i in 1:n, j, k in {1, 3} loop
    v[i].w[j, :] = m[k, end];
    for l loop connect(a[l].p, b[l + 1].n) annotation(Line(points = {{0, 0}, {1, -1.5}})); end for;
  end for;
  when {sample(0, 0.1), x > 1} then
    reinit(x, -e*pre(x));
  elsewhen terminal() then
    terminate("end");
  end when;
  connect(a, b.c);
  assert(x > 0, "negative: " + String(x), level = AssertionLevel.warning);
  Connections.branch(a.R, b.R);
  pure(f(x)) = y;
initial algorithm
  k := 3;
algorithm
  x[2] := if a then 1 else 2;
  (p, q) := g(x);
  (r) := g(x);
  print("text");
  while x > 1 loop
    x := x/2;
    if x == 3 then break; elseif x <> 4 then return; else x := 1; end if;
  end while;
  for i in 1:2:9 loop s := s + i; end for;
  when x > 1 then y := 1; elsewhen x > 2 then y := 2; end when;
end Equations;
