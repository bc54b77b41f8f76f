within Lib;
package Translational "Motion along a line"
  connector Flange
    Units.Length s "Position";
    flow Units.Force f "Force on the component";
  end Flange;

  model World "What all bodies feel"
    parameter Units.Acceleration g = 9.81 "Against the positive direction";
  end World;

  model Fixed
    Flange flange;
    parameter Units.Length s0 = 0;
  equation
    flange.s = s0;
  end Fixed;

  partial model Compliant
    Flange a;
    Flange b;
    Units.Length ds = b.s - a.s;
    Units.Force f;
  equation
    b.f = f;
    a.f = -f;
  end Compliant;

  model Mass
    Flange a;
    Flange b;
    parameter Units.Mass m = 1;
    Units.Length s;
    Units.Velocity v;
  equation
    a.s = s;
    b.s = s;
    v = der(s);
    m*der(v) = a.f + b.f;
  end Mass;

  model HeavyMass "A mass in the field of the world"
    outer World world;
    Flange a;
    parameter Units.Mass m = 1;
    Units.Length s;
    Units.Velocity v;
  equation
    a.s = s;
    v = der(s);
    m*der(v) = a.f - m*world.g;
  end HeavyMass;

  model Spring
    extends Compliant;
    parameter Real c(unit = "N/m") = 1;
    parameter Units.Length ds0 = 0 "Length without force";
  equation
    f = c*(ds - ds0);
  end Spring;

  model Damper
    extends Compliant;
    parameter Real d(unit = "N.s/m") = 1;
  equation
    f = d*der(ds);
  end Damper;

  model ElastoGap "A spring that only pushes"
    extends Compliant;
    parameter Real c(unit = "N/m") = 1;
    parameter Units.Length ds0 = 0;
    Boolean contact = ds < ds0;
  equation
    f = if contact then c*(ds - ds0) else 0;
  end ElastoGap;

  model Rod "Rigid, without mass"
    Flange a;
    Flange b;
    parameter Units.Length L = 0;
  equation
    b.s = a.s + L;
    0 = a.f + b.f;
  end Rod;

  model Force
    Flange flange;
    Signal.Input f(unit = "N");
  equation
    flange.f = -f;
  end Force;
end Translational;
