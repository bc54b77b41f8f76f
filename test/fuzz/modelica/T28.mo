model A Real x = 1; end A;
model T28 extends A(x = break); equation x = time; end T28;
