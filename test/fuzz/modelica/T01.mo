model T01 Real y = -2^2; end T01;
