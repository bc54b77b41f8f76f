record R
  Real a;
end R;

model Kinds
  R r(a = 1);
  Real x = homotopy(time, "a");
  Real y[2, 2] = outerProduct({1, 2}, {r, r});
  Real z[2] = {1, "a"};
equation
  for i in "a":"c" loop
    assert(x > 0, "");
  end for;
end Kinds;
