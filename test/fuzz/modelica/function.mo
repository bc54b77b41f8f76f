function f input Real x[:]; input Integer k = 2; output Real y = 0; output Real z; protected Real w[size(x, 1)];
algorithm for i in 1:size(x, 1) loop w[i] := x[i]^k; y := y + w[i]; if y > 10 then break; end if; end for; z := max(w); while z > 100 loop z := z/2; end while; end f;
model M Real a, b; Real c[3] = {time, 2*time, sin(time)}; equation (a, b) = f(c); end M;
