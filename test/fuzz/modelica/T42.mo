model T42 Real x = time; Boolean b = noEvent(x > 1); Boolean c = x > 1; end T42;
