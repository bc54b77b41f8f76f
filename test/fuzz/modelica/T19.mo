model Res parameter Real r = 1; end Res;
model T19 parameter Real r = 5;
  model L = Res(r = r);
  model M extends Res(r = r); end M;
  L a; M b;
end T19;
