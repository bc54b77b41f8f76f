model I outer Boolean on; Real x = if on then 1 else 0; end I;
model S Boolean me = time > 1; inner outer Boolean on = on and me; I i; end S;
model T55 S s; inner Boolean on = time > 2; end T55;
