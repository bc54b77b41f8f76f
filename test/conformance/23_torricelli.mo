// The series of the square root runs into its other branch.
model Torricelli
  Real x(start = 1, fixed = true);
equation
  der(x) = -sqrt(max(0, x));
end Torricelli;
