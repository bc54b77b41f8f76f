package Lib "A small library of physical components: each domain has one connector of a potential and a flow"
  annotation(version = "1.0");
end Lib;
