within Lib;
package Thermal
  connector Port
    Units.Temperature T;
    flow Units.HeatFlow Q "Heat into the component";
  end Port;

  model HeatCapacitor
    Port port;
    parameter Units.HeatCapacity C = 1;
    Units.Temperature T;
  equation
    T = port.T;
    C*der(T) = port.Q;
  end HeatCapacitor;

  model Conductor
    Port a;
    Port b;
    parameter Units.ThermalConductance G = 1;
    Units.HeatFlow Q "From a to b";
  equation
    Q = G*(a.T - b.T);
    a.Q = Q;
    b.Q = -Q;
  end Conductor;

  model FixedTemperature
    Port port;
    parameter Units.Temperature T = 293.15;
  equation
    port.T = T;
  end FixedTemperature;

  model HeatSource
    Port port;
    Signal.Input Q(unit = "W");
  equation
    port.Q = -Q;
  end HeatSource;

  model Thermometer
    Port port;
    Signal.Output T(unit = "K");
  equation
    T = port.T;
    port.Q = 0;
  end Thermometer;
end Thermal;
