type Season = enumeration(spring, summer, spring);

model A
  Season s = Season.spring;
end A;

model A
  Season s = Season.summer;
end A;

model M
  A a;
end M;
