model A Real x; equation x = time; end A;
model T29 A a(x = 2); end T29;
