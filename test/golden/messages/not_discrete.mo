model Control
  Real x = time;
  Boolean b = noEvent(x > 1);
end Control;
