connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; equation p.v - n.v = p.i; 0 = p.i + n.i; end R;
model S Pin p, n; R r; equation connect(p, r.p); connect(r.n, n); end S;
model G Pin p; equation p.v = 0; end G;
model T51 S s; G g; equation connect(s.n, g.p); end T51;
