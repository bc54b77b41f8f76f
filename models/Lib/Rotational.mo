within Lib;
package Rotational "Rotation about one axis"
  connector Flange
    Units.Angle phi;
    flow Units.Torque tau "Torque on the component";
  end Flange;

  model Fixed
    Flange flange;
    parameter Units.Angle phi0 = 0;
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia
    Flange a;
    Flange b;
    parameter Units.Inertia J = 1;
    Units.Angle phi;
    Units.AngularVelocity w;
  equation
    a.phi = phi;
    b.phi = phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  partial model Compliant
    Flange a;
    Flange b;
    Units.Angle dphi = b.phi - a.phi;
    Units.Torque tau;
  equation
    b.tau = tau;
    a.tau = -tau;
  end Compliant;

  model Spring
    extends Compliant;
    parameter Real c(unit = "N.m/rad") = 1;
  equation
    tau = c*dphi;
  end Spring;

  model Damper
    extends Compliant;
    parameter Real d(unit = "N.m.s/rad") = 1;
  equation
    tau = d*der(dphi);
  end Damper;

  model Gear "phi of a is ratio times phi of b"
    Flange a;
    Flange b;
    parameter Real ratio(unit = "1") = 1;
  equation
    a.phi = ratio*b.phi;
    0 = ratio*a.tau + b.tau;
  end Gear;

  model Torque
    Flange flange;
    Signal.Input tau(unit = "N.m");
  equation
    flange.tau = -tau;
  end Torque;

  model Clutch "Closed: both sides turn equally fast; open: no torque. Closing it makes an impulse"
    Flange a;
    Flange b;
    Signal.BooleanInput closed;
    Units.AngularVelocity w_rel;
    Units.Torque tau;
  equation
    w_rel = der(a.phi) - der(b.phi);
    a.tau = tau;
    b.tau = -tau;
    if closed then
      w_rel = 0;
    else
      tau = 0;
    end if;
  end Clutch;
end Rotational;
