model C parameter Real d; end C;
model B C c[2]; end B;
model T26 B b[2](c(d = {{1, 2}, {3, 4}})); end T26;
