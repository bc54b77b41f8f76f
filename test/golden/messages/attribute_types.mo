model Attributes
  model A
    Real x = time;
  end A;
  A a(x(start = "one"));
  A b(x(fixed = 1));
  A c(x(unit = 3));
  Integer n(start = 1.5) = 2;
end Attributes;
