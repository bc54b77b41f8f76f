model T07 constant Real a[5] = {mod(-3, 1.4), rem(-3, 1.4), div(-7, 2), mod(-7, 2), rem(-7, 2)}; end T07;
