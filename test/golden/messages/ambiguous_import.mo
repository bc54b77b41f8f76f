package P model A Real x = 1; end A; end P;
package Q model A Real x = 2; end A; end Q;
model M "A comes from two packages"
  import P.*;
  import Q.*;
  A a;
end M;
