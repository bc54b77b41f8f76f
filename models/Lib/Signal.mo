within Lib;
package Signal "Blocks with inputs and outputs"
  connector Input = input Real "A number that comes in";
  connector Output = output Real "A number that goes out";
  connector BooleanInput = input Boolean;
  connector BooleanOutput = output Boolean;

  block Constant
    parameter Real k = 1;
    Output y;
  equation
    y = k;
  end Constant;

  block Step "offset, and height more after startTime"
    parameter Real height = 1;
    parameter Real offset = 0;
    parameter Units.Time startTime = 0;
    Output y;
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Sine
    parameter Real amplitude = 1;
    parameter Real frequency(unit = "Hz") = 1;
    Output y;
  protected
    constant Real pi = 2*asin(1.0);
  equation
    y = amplitude*sin(2*pi*frequency*time);
  end Sine;

  block BooleanStep "false, then true"
    parameter Units.Time startTime = 0;
    BooleanOutput y;
  equation
    y = time >= startTime;
  end BooleanStep;

  block Gain
    parameter Real k = 1;
    Input u;
    Output y;
  equation
    y = k*u;
  end Gain;

  block Feedback "y = u1 - u2"
    Input u1;
    Input u2;
    Output y;
  equation
    y = u1 - u2;
  end Feedback;

  block Integrator
    parameter Real k = 1;
    parameter Real y_start = 0;
    Input u;
    Output y(start = y_start, fixed = true);
  equation
    der(y) = k*u;
  end Integrator;

  block FirstOrder "T*y' = k*u - y"
    parameter Real k = 1;
    parameter Units.Time T = 1;
    parameter Real y_start = 0;
    Input u;
    Output y(start = y_start, fixed = true);
  equation
    T*der(y) = k*u - y;
  end FirstOrder;

  block PI "y = k*(u + integral of u / Ti)"
    parameter Real k = 1;
    parameter Units.Time Ti = 1;
    Input u;
    Output y;
  protected
    Real x(start = 0, fixed = true);
  equation
    der(x) = u/Ti;
    y = k*(u + x);
  end PI;

  block Hysteresis "On below low, off above high, else as before"
    parameter Real low;
    parameter Real high;
    Input u;
    BooleanOutput y(start = true, fixed = true);
  equation
    y = u < low or pre(y) and u <= high;
  end Hysteresis;

  block Switch "on if u, else off"
    parameter Real on = 1;
    parameter Real off = 0;
    BooleanInput u;
    Output y;
  equation
    y = if u then on else off;
  end Switch;
end Signal;
