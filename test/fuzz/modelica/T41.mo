model T41 parameter Boolean s = false; Real x, y;
equation
  if s then x = 1; x = 2; else x = time; end if;
  if time > 1 then y = 1; end if;
end T41;
