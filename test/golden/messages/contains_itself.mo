model Box
  Real x = 1;
  Box inside;
end Box;
