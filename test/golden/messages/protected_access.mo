model Cell
  Real u = 1;
protected
  Real secret = 2;
end Cell;

model Battery
  Cell cell;
  Real y = cell.secret;
end Battery;
