model Block
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), F, T;
equation
  der(x) = v;
  der(v) = F;
  T = 0;
  contact(x, F, mu = 0.3);
  contact(x, F, slide = v);
  contact(x, F, slip = v, friction = 2*T);
  contact(x, F, 0.5, "none");
end Block;
