type Y = Real; record R Real x = 1; end R;
model T18 Y a = 1; Real Y = 2; .R R; Real z = R.x; end T18;
