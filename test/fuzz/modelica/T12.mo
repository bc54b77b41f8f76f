record R Real x[2]; end R;
model T12
  R a[3](x = {{1, 2}, {3, 4}, {5, 6}}); constant Integer v[2] = {3, 1};
  Real y[3] = a.x[2]; Real z = a[v[end]].x[end];
end T12;
