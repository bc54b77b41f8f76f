within Lib;
package Electrical
  connector Pin
    Units.Voltage v "Potential";
    flow Units.Current i "Current into the component";
  end Pin;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  partial model TwoPin
    Pin p;
    Pin n;
    Units.Voltage v "From p to n";
    Units.Current i "From p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    0 = p.i + n.i;
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Units.Resistance R = 1;
    parameter Boolean useHeatPort = false "Heat goes to the heat port";
    Thermal.Port heatPort(Q = -v*i) if useHeatPort;
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin;
    parameter Units.Capacitance C = 1;
  equation
    i = C*der(v);
  end Capacitor;

  model Inductor
    extends TwoPin;
    parameter Units.Inductance L = 1;
  equation
    v = L*der(i);
  end Inductor;

  model ConstantVoltage
    extends TwoPin;
    parameter Units.Voltage V = 1;
  equation
    v = V;
  end ConstantVoltage;

  model SineVoltage
    extends TwoPin;
    parameter Units.Voltage V = 1;
    parameter Real frequency(unit = "Hz") = 1;
  protected
    constant Real pi = 2*asin(1.0);
  equation
    v = V*sin(2*pi*frequency*time);
  end SineVoltage;

  model ConstantCurrent
    extends TwoPin;
    parameter Units.Current I = 1;
  equation
    i = I;
  end ConstantCurrent;

  model SignalVoltage
    extends TwoPin;
    Signal.Input u(unit = "V");
  equation
    v = u;
  end SignalVoltage;

  model IdealDiode "No voltage forwards, no current backwards: the characteristic has a parameter s"
    extends TwoPin;
    Real s(start = 0) "Voltage if it blocks, current if it conducts";
    Boolean blocks = s < 0;
  protected
    constant Units.Voltage oneVolt = 1;
    constant Units.Current oneAmpere = 1;
  equation
    v = oneVolt*(if blocks then s else 0);
    i = oneAmpere*(if blocks then 0 else s);
  end IdealDiode;

  model Switch "Closed, it is a wire; open, it carries no current: the equation itself changes"
    extends TwoPin;
    Signal.BooleanInput closed;
  equation
    if closed then
      v = 0;
    else
      i = 0;
    end if;
  end Switch;

  model Motor "Turns current into torque"
    Pin p;
    Pin n;
    Rotational.Flange flange;
    parameter Real k(unit = "N.m/A") = 1;
    Units.AngularVelocity w = der(flange.phi);
  equation
    p.v - n.v = k*w;
    0 = p.i + n.i;
    flange.tau = -k*p.i;
  end Motor;
end Electrical;
