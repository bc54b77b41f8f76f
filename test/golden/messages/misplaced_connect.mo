connector P Real v; flow Real i; end P;
model M "connect in a when-equation"
  P a, b;
equation
  when time > 1 then
    connect(a, b);
  end when;
end M;
