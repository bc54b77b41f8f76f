// A root of multiplicity three.
model FlatRoot
  Integer n(start = 0, fixed = true);
equation
  when (time - 1) ^ 3 > 0 then
    n = pre(n) + 1;
  end when;
end FlatRoot;
