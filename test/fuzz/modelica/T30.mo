model A Real x = 1; end A; model B Real x = 2; end B; model C Real x = 3; end C;
model D replaceable B b constrainedby A(x = 4); end D;
model T30 D d; D e(redeclare C b); end T30;
