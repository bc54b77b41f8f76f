model M Real x(start = 1, fixed = true); discrete Real d(start = 0); Boolean b(start = false); Integer n(start = 0, fixed = true);
equation der(x) = -x; b = x < 0.5 or pre(b); when {edge(b), sample(0, 0.1)} then d = pre(d) + x; n = pre(n) + 1; elsewhen time > 2 then d = 0; n = 0; end when;
when x < 0.1 then reinit(x, 1); end when; assert(x > -1, "low " + String(x)); end M;
