type Season = enumeration(spring, summer);
type Phase = enumeration(solid, liquid);

model M
  Season s;
equation
  s = if time > 1 then Phase.solid else Phase.liquid;
end M;
