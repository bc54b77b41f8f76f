model Oven
  parameter Real p = 1;
  model Wall
    Real T = 300;
    Real q = p*T;
  end Wall;
  Wall wall;
end Oven;
