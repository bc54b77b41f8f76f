connector Pin Real v(unit = "V"); flow Real i(unit = "A"); end Pin;
partial model T Pin p, n; Real v = p.v - n.v; equation 0 = p.i + n.i; end T;
model R extends T; parameter Real R(unit = "Ohm") = 1; equation v = R*p.i; end R;
model C extends T(v(start = 1, fixed = true)); equation p.i = der(v); end C;
model G Pin p; equation p.v = 0; end G;
model M parameter Integer n = 3; parameter Boolean use = true; R r[n](each R = 2); C c[n]; G g if use;
equation for k in 1:n loop connect(r[k].p, c[k].p); connect(r[k].n, c[k].n); if use then connect(c[k].n, g.p); end if; end for; end M;
