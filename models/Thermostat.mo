model Thermostat "Relay with hysteresis: pre() remembers"
  // der(T) = 20*(heating) - T between 9 and 11 around: it heats from 9 to 11 in log(11/9) and cools
  // from 11 to 9 in log(11/9); from the start at 10 the first switch is at log(10/9).
  Real T(start = 10, fixed = true);
  Boolean heats(start = true, fixed = true);
equation
  der(T) = (if heats then 20 else 0) - T;
  heats = T < 9 or pre(heats) and T <= 11;
  annotation(experiment(StopTime = 1));
end Thermostat;
