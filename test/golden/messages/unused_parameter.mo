model Loose
  parameter String name;
  parameter Real mass;
  Real x = time;
end Loose;
