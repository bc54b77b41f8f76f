model Large
  parameter Integer n = 9007199254740993;
  parameter Integer m = 4000000000*4000000000;
end Large;
