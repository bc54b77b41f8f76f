model Redeclare "One circuit, two loads: replaceable and redeclare"
  partial model Circuit
    replaceable model Load = Lib.Electrical.Resistor constrainedby Lib.Electrical.TwoPin;
    Lib.Electrical.ConstantVoltage source(V = 6);
    Lib.Electrical.Resistor series(R = 2);
    Load load;
    Lib.Electrical.Ground ground;
  equation
    connect(source.p, series.p);
    connect(series.n, load.p);
    connect(load.n, source.n);
    connect(source.n, ground.p);
  end Circuit;
  model Resistive
    extends Circuit(load(R = 4));
  end Resistive;
  model Capacitive
    extends Circuit(redeclare model Load = Lib.Electrical.Capacitor(C = 0.5, v(start = 0, fixed = true)));
  end Capacitive;
  // 6*4/(2 + 4) = 4, and 6*(1 - exp(-t)).
  Resistive a;
  Capacitive b;
  annotation(experiment(StopTime = 3));
end Redeclare;
