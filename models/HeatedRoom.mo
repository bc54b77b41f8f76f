model HeatedRoom "A thermostat of components: sensor, hysteresis, switched heater"
  // C*T' = Q - G*(T - 280) with C = 1, G = 1, Q = 30 or 0: towards 310 or 280. Between 294 and 296 it
  // heats log(16/14) and cools log(16/14); from 295 the first switch is at log(15/14).
  HeatSourceOfRoom heater;
  Lib.Thermal.HeatCapacitor room(C = 1, T(start = 295, fixed = true));
  Lib.Thermal.Conductor wall(G = 1);
  Lib.Thermal.FixedTemperature outside(T = 280);
  Lib.Thermal.Thermometer sensor;
  Lib.Signal.Hysteresis relay(low = 294, high = 296);
  Lib.Signal.Switch power(on = 30);
  model HeatSourceOfRoom = Lib.Thermal.HeatSource;
equation
  connect(heater.port, room.port);
  connect(room.port, wall.a);
  connect(wall.b, outside.port);
  connect(sensor.port, room.port);
  connect(sensor.T, relay.u);
  connect(relay.y, power.u);
  connect(power.y, heater.Q);
  annotation(experiment(StopTime = 1));
end HeatedRoom;
