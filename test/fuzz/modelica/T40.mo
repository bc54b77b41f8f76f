model T40 parameter Real x[3] = {1, x[1], x[2]}; end T40;
