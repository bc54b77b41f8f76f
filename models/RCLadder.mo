model RCLadder "Arrays of components, connected in a loop"
  // Long after the start the currents are gone and every capacitor has the voltage of the source;
  // each moment obeys the exact sum: charge taken from the source = charge on the capacitors.
  import Lib.Electrical.*;
  parameter Integer n(min = 1) = 5;
  ConstantVoltage source(V = 1);
  Resistor r[n](each R = 1);
  Capacitor c[n](each C = 0.1, each v(start = 0, fixed = true));
  Ground ground;
  Real charge(start = 0, fixed = true) "Taken from the source";
equation
  connect(source.p, r[1].p);
  connect(source.n, ground.p);
  for k in 1:n loop
    connect(r[k].n, c[k].p);
    connect(c[k].n, ground.p);
  end for;
  for k in 1:n - 1 loop
    connect(r[k].n, r[k + 1].p);
  end for;
  der(charge) = r[1].i;
  annotation(experiment(StopTime = 30));
end RCLadder;
