// A bridge of four ideal diodes.
model Bridge
  parameter Real r = 1e-5;
  Real u = sin(time), a, b, p, v[4], i[4], s[4];
  Boolean off[4];
equation
  v = {a - p, b - p, -a, -b};
  for k in 1:4 loop
    off[k] = s[k] < 0;
    v[k] = s[k] * (if off[k] then 1 else r);
    i[k] = s[k] * (if off[k] then r else 1);
  end for;
  a - b = u;
  p = i[1] + i[2];
  p = i[3] + i[4];
end Bridge;
