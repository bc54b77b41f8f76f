model C parameter Real d; end C;
model T25 C c[3](d = 1); end T25;
