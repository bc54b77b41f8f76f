model T38 parameter Integer n(fixed = false); Real x[n] = ones(n);
initial equation n = 3; end T38;
