record R parameter Real a = 1; final parameter Real b = 2*a; Real c = 0; end R;
model T45 R r = R(3, 5); R q = R(c = 4); end T45;
