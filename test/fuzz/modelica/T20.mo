model B Real x = 1; end B;
class Q model B Real x = 2; end B; end Q;
model T20 extends Q; extends B; end T20;
