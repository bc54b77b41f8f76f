connector Pin Real v; flow Real i; end Pin;
model R parameter Real e = 1; Pin p; equation p.v = e - 2*p.i; end R;
model T52 parameter Boolean use = false; R a; R b(e = 5) if use; equation connect(a.p, b.p); end T52;
