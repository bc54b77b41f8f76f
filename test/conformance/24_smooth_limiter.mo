// A limiter under smooth.
model SmoothLimiter
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = smooth(0, if x > 0.5 then 0.5 else x);
end SmoothLimiter;
