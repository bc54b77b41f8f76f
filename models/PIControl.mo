model PIControl "A PI controller and a first order plant"
  // Plant 1/(s + 1), controller 3*(1 + 1/s): the closed loop is 3/(s + 3) because the zero cancels
  // the pole of the plant: y = 1 - exp(-3*t).
  import Lib.Signal.*;
  Step set(height = 1);
  Feedback compare;
  PI controller(k = 3, Ti = 1);
  FirstOrder plant(k = 1, T = 1);
equation
  connect(set.y, compare.u1);
  connect(plant.y, compare.u2);
  connect(compare.y, controller.u);
  connect(controller.y, plant.u);
  annotation(experiment(StopTime = 2));
end PIControl;
