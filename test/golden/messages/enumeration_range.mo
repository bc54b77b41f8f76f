type Season = enumeration(spring, summer);

model M
  Season s = Season(3);
end M;
