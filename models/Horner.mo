model Horner "A function with a loop: a polynomial by Horner's rule"
  function polynomial
    input Real c[:] "Highest power first";
    input Real x;
    output Real y = 0;
  algorithm
    for i in 1:size(c, 1) loop
      y := y*x + c[i];
    end for;
  end polynomial;

  function roots "Of a*x^2 + b*x + c: two results"
    input Real a, b, c;
    output Real low, high;
  protected
    Real d = sqrt(b^2 - 4*a*c);
  algorithm
    low := (-b - d)/(2*a);
    high := (-b + d)/(2*a);
  end roots;

  // p = 2*t^3 - t + 5; its derivative by der; roots of x^2 - (3 + t)*x + 3*t are 3 and t.
  Real p = polynomial({2, 0, -1, 5}, time);
  Real dp = der(p);
  Real low, high;
equation
  (low, high) = roots(1, -(3 + time), 3*time);
  annotation(experiment(StopTime = 2));
end Horner;
