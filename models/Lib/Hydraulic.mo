within Lib;
package Hydraulic "An incompressible liquid"
  constant Units.Density rho = 1000;
  constant Units.Acceleration g = 9.81;

  connector Port
    Units.Pressure p "Above that of the air";
    flow Units.VolumeFlow q "Into the component";
  end Port;

  model Tank "Open, with a port at its bottom"
    Port port;
    parameter Units.Area A = 1;
    Units.Length h "Level";
  equation
    A*der(h) = port.q;
    port.p = rho*g*h;
  end Tank;

  model Pipe "Laminar: flow proportional to the pressure difference"
    Port a;
    Port b;
    parameter Real k(unit = "m3/(s.Pa)") = 1e-6;
  equation
    a.q = k*(a.p - b.p);
    0 = a.q + b.q;
  end Pipe;

  model Orifice "Turbulent: flow as the square root of the pressure difference, in both directions"
    Port a;
    Port b;
    parameter Units.Area A = 1e-3 "Effective opening";
    Units.Pressure dp = a.p - b.p;
  equation
    a.q = A*sign(dp)*sqrt(2*abs(dp)/rho);
    0 = a.q + b.q;
  end Orifice;

  model Air
    Port port;
  equation
    port.p = 0;
  end Air;

  model Pump
    Port port;
    Signal.Input q(unit = "m3/s");
  equation
    port.q = -q;
  end Pump;

  model Cylinder "Pressure and volume become force and position"
    Port port;
    Translational.Flange flange;
    parameter Units.Area A = 1e-2;
  equation
    port.q = A*der(flange.s);
    flange.f = -A*port.p;
  end Cylinder;
end Hydraulic;
