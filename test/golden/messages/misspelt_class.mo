package Drive
  model Gear
    Real w = 1;
  end Gear;
  model Test
    Gaer gear;
  end Test;
end Drive;
model Main
  Drive.Test test;
end Main;
