type E = enumeration(a, b);
model T11 Real x[E], y[Boolean]; Real bad = x[1];
equation
  for e in E loop x[e] = Integer(e); end for;
  y[false] = 0; y[true] = x[E.b];
end T11;
