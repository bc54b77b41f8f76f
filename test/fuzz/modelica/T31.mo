model Res parameter Real r = 1; parameter Real t = 0; end Res;
model C1 replaceable model L = Res(r = 100); L l; end C1;
model C2 extends C1(redeclare replaceable model L = Res(t = 300)); end C2;
model T31 C2 a; extends C2(redeclare model L = Res); end T31;
