model M
  parameter Boolean has_name = false;
  Real x = if has_name then "a" else 2;
end M;
