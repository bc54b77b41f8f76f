model T37 Integer n = 2; parameter Real k = n; Real x = k*time; end T37;
