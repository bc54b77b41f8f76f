model S5 Real x, y; equation x + 0*y = 1; 2*x = 2; end S5;
