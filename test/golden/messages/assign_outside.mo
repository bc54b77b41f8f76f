package P
  constant Real c = 1;
  function f input Real u; output Real y; algorithm
    c := 2;
    y := u;
  end f;
end P;
model M "A function assigns its own variables only"
  Real x = P.f(time);
end M;
