model World parameter Real g = 9.81; end World;
model A outer World world; Real w = world.g; end A;
model T54 A a, b; end T54;
