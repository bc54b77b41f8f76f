model Point
  record P
    Real x;
    Real y;
    Real z = 0;
  end P;
  P a = P(1);
end Point;
