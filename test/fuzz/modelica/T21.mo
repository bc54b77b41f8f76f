model B parameter Real x; end B;
model C parameter Real x = 2; B b(x = x); end C;
model T21 parameter Real x = 3; C c(b(x = x)); end T21;
