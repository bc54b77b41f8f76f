model Gearbox
  type Gear = enumeration(low, high);
  Gear g = if time > 1 then Gear.hihg else Gear.low;
end Gearbox;
