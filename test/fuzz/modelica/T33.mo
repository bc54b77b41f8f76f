model A Real x = 1; end A; model B extends A; parameter Real p = 1; end B;
model D A a; end D;
model T33 D d(redeclare B a); end T33;
