within Plant.Parts;
encapsulated partial package Everything "description" + " in two parts"
  import SI = Modelica.Units.SI "renamed";
  import Modelica.Math.*;
  import Modelica.Math.{sin, cos} annotation(Evaluate = true);
  import Modelica;
  extends Base.Tank(redeclare package Medium = Water(n = 2), break level, break connect(a.b[1], c),
    final h(start = 1, fixed = true) = 2 "height", each nominal.x = 3) annotation(Dialog(tab = "x"));
  type Length = Real(final quantity = "Length", unit = "m");
  type Matrix = Real[:, 3];
  type Color = enumeration(red "r" annotation(Icon()), green, 'dark blue');
  type Open = enumeration(:);
  type None = enumeration();
  connector In = input Real "signal";
  connector Out = output Real[2];
  expandable connector Bus
  end Bus;
  operator record Complex
    Real re, im;
    encapsulated operator 'constructor'
      function fromReal
        input Real re;
        output Complex r(re = re, im = 0);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator function '+'
      input Complex a, b;
      output Complex r = Complex(a.re + b.re, a.im + b.im);
    algorithm
    end '+';
  end Complex;
  function f
    input Real x[:];
    input Integer n = size(x, 1);
    output Real y;
    external "C" y = my_f(x, size(x, 1), n) annotation(Library = "my");
    annotation(Inline = false, derivative(zeroDerivative = n) = df);
  end f;
  pure function g
    external;
  end g;
  impure function h
    external "builtin" annotation(Include = "h.h");
  end h;
  function df = der(f, x);
  replaceable model Load = Resistor(R = 10) constrainedby TwoPin(v(start = 0)) "load"
    annotation(choicesAllMatching = true);
  redeclare model extends Part(k = 2) "more"
    Real z;
  end Part;
  replaceable function Law
    extends Partial;
  end Law;
  block Empty
  end Empty;
  class C = D;
protected
  record R
    flow Real q;
    stream Real s;
  end R;
public
  annotation(version = "1", Documentation(info = "<html>
<b>text</b> \"quoted\"
</html>"));
end Everything;
final model Last
  annotation();
end Last;
