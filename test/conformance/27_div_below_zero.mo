// div rounds towards zero.
model DivBelowZero
  Real d = div(1 - time, 0.4);
end DivBelowZero;
