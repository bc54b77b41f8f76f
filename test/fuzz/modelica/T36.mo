connector In = input Real;
model F Real y = 1; end F;
model G Real y = u; In u; end G;
model D replaceable F f; end D;
model T36 D d(redeclare G f); end T36;
