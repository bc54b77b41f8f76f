package P constant Real x = 2; end P;
model A Real x = 1; end A;
model T17 extends A; import P.x; Real y = x; end T17;
