model T04 Real x = 1; Real 'x' = 2; Real 'a.b[1]' = x + 'x'; end T04;
