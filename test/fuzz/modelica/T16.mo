package P constant Real c = 1; end P;
partial model B import P.c; Real x = c; end B;
model T16 extends B; Real y = c; end T16;
