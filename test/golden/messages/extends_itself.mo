model A
  extends B;
end A;

model B
  extends C;
end B;

model C
  extends A;
end C;
