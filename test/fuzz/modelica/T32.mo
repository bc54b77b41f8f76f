type Len = Real(unit = "m");
model M replaceable parameter Real u[2]; end M;
model T32 M m(redeclare Len u = {1, 2}); end T32;
