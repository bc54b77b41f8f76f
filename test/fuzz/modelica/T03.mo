model T03 Real y[2] = 2.*{1, 2} + {1, 2}.*{3, 4}; end T03;
