model T06 Integer i = 4/2; Integer j = 2^3; Integer k = div(4, 2); end T06;
