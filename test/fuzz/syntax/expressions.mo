record Expressions
  Real a = 1 + 2.5e-3 .+ .5E2 - x*y .* z / w ./ v ^ 2 - t .^ (-u);
  Boolean b = not a < b and c <= d or e > f and g >= h or i == j and k <> l;
  Real c[3] = {1, -x, +y} + {.-a, .+b, -(-c)};
  Real d[:] = 1:n - 1;
  Real e[:] = -1:-2:-9;
  Real f[2, 2] = [1, 2; x, {y, z}*w];
  Real g = if a then 1 elseif b then {2} else if c then 3 else 4;
  Real h = sum(x[i]^2 for i in 1:n, j) + max({k for k});
  Real i = quadrature(function f(a = 1, b = function g()), 0, tolerance = 1e-6);
  Real j = .A.B[1, :, end].c[x[end - 1]].'d e'(1);
  String k = "a" + "\"\\\n\t\?\'" + "";
  Real l = ((x)) + (((y)) - z);
  Boolean m = true or false and initial();
  Integer n = 12345678901;
end Expressions;
