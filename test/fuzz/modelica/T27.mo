model A parameter Real k = 1; end A;
model B A a(final k = 2); end B;
model T27 B b(a(k = 3)); end T27;
