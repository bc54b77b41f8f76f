package M constant Integer n = 1; constant Real k[n] = fill(7.0, n); end M;
package M2 = M(n = 3);
model V replaceable package Medium = M; Real x[Medium.n] = Medium.k; end V;
model T35 V a; V b(redeclare package Medium = M2); end T35;
