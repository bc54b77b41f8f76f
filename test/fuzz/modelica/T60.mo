model T60
  model B A a; replaceable model A = C; type E = Boolean; end B;
  B b(redeclare model A = D(p = 1));
  partial model C E e = 2.5; end C;
  model D extends C; parameter E p; type E = Integer; end D;
  type E = Real;
end T60;
