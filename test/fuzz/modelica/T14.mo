model T14 parameter Real p = 1; constant Real c = 2;
  model A Real y = c; Real z = p; end A;
  A a;
end T14;
