model WrongArgs
  function area
    input Real w; input Real h; output Real a;
  algorithm a := w*h;
  end area;
  Real a = area(2);
  Real b = area(2, 3, 4);
  Real c = area(width = 2, h = 3);
end WrongArgs;
