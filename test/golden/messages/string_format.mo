model Written
  parameter String a = String(1.5, format = "%s");
  parameter String b = String(true, significantDigits = 3);
end Written;
