model T48 Real x, y;
equation when time > 1 then x = 1; y = 2; elsewhen time > 2 then x = 3; end when; end T48;
