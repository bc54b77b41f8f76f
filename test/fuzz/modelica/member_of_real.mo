model M Real x[2]; equation x[Real.n] = 1; x[2] = 2; end M;
