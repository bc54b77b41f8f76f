package P constant Real k = 2;
  encapsulated model A Real x = sin(time); Real y = k; end A;
end P;
model T15 P.A a; end T15;
