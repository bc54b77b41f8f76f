model Counter "An algorithm section with when, edge and an enumeration"
  type Phase = enumeration(low, high);
  // time mod 1: pulses at t = 0.5, 1.5, ...: after t there are floor(t + 0.5) of them.
  Real u = sin(2*pi*time);
  Boolean pulse = u < 0;
  Phase phase = if pulse then Phase.high else Phase.low;
  Integer count(start = 0, fixed = true);
  constant Real pi = 2*asin(1.0);
algorithm
  when edge(pulse) then
    count := pre(count) + 1;
  end when;
  annotation(experiment(StopTime = 4.2));
end Counter;
