model Lengths
  function f
    input String s;
    output Integer n, m;
    external "C" n = ModelicaStrings_length(s);
  end f;
  Integer n, m;
equation
  (n, m) = f("abc");
end Lengths;
