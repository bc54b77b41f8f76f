connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; equation p.v - n.v = p.i; 0 = p.i + n.i; end R;
model G Pin p; equation p.v = 0; end G;
model L Pin p, n; outer R r; equation connect(p, r.p); connect(r.n, n); end L;
model T56 L l; G g; inner R r; equation connect(l.p, g.p); end T56;
