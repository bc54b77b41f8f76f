model T09
  Real[3, 2] x[4, 5] = zeros(4, 5, 3, 2);
  Integer t[:, :] = {10*i + j for i in 1:2, j in 1:3};
end T09;
