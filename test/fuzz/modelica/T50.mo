partial model A Real x; equation x = time; end A;
partial model B extends A; end B; partial model C extends A; end C;
model T50 extends B; extends C; end T50;
