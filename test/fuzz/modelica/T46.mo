function levels input Integer n; output Integer m = 0; protected Integer k = n;
algorithm while k > 1 loop k := div(k, 2); m := m + 1; end while; end levels;
model T46 parameter Integer n = levels(8); Real x[n] = (1:n)*time; end T46;
