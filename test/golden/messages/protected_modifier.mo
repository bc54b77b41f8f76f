model Tank
  Real level = area;
protected
  parameter Real area = 1;
end Tank;

model M
  Tank tank(area = 2);
end M;
