model HeatRod "Heat conduction in n cells, ends at zero: arrays and for-equations"
  // T[i] = sin(i*pi/(n+1)) is an eigenvector of the second difference: it decays with the rate
  // 4*sin(pi/(2*(n+1)))^2 * (n+1)^2.
  parameter Integer n = 10;
  constant Real pi = 2*asin(1.0);
  Real T[n](start = {sin(i*pi/(n + 1)) for i in 1:n}, each fixed = true);
  Real mean = sum(T)/n;
protected
  Real e[n + 2] = cat(1, {0}, T, {0}) "With the ends";
equation
  for i in 1:n loop
    der(T[i]) = (n + 1)^2*(e[i] - 2*e[i + 1] + e[i + 2]);
  end for;
  annotation(experiment(StopTime = 0.2));
end HeatRod;
