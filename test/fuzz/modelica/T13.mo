model T13 parameter Real a[:] = {1, 2, 3}; Real x[size(a, 1)] = 2*a; Real b[:];
equation b = {1, 2}; end T13;
