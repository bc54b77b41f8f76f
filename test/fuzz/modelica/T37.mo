model T37 parameter Integer n = 2; parameter Real k = n; Real x[n + 1];
equation for i in 1:n + 1 loop x[i] = k*i; end for; end T37;
