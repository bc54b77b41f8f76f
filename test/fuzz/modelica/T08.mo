model T08 Real x[2] = {1, 2} .+ 1; Real y[2] = {1, 2} + 1; end T08;
