// A loop whose number of passes depends on a changing value.
model WhileInFunction
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
    while y > 1 loop
      y := y / 2;
    end while;
  end f;
  Real z(start = 0, fixed = true);
equation
  der(z) = f(time);
end WhileInFunction;
