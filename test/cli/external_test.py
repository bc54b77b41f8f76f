#!/usr/bin/env python3
"""external "C" functions from shared libraries: what a user meets. external_test.py HYDAE CXX"""
import csv
import io
import math
import os
import subprocess
import sys
import tempfile
import unittest

HYDAE, CXX = sys.argv[1:3]

CODE = """
#include <math.h>
#include <stddef.h>
extern void ModelicaError(const char*);
double spring(double x) { return x + x * x * x; }
double spring_der(double x, double dx) { return (1 + 3 * x * x) * dx; }
/* y = A x for A stored by rows, and the sum of y */
void product(const double* A, size_t n, size_t m, const double* x, size_t mx, double* y, size_t ny, double* sum) {
  *sum = 0;
  for (size_t i = 0; i < n; ++i) {
    y[i] = 0;
    for (size_t j = 0; j < m; ++j) y[i] += A[i * m + j] * x[j];
    *sum += y[i];
  }
}
/* x^2 + y^2 with a ripple that is too small to matter, but whose slopes are not */
double square(double x, double y) { return x * x + y * y + 1e-10 * sin(1e7 * x); }
double square_der(double x, double y, double dx, double dy) { return 2 * (x * dx + y * dy); }
double square_der2(double x, double y, double dx, double dy, double ddx, double ddy) {
  return 2 * (dx * dx + dy * dy + x * ddx + y * ddy);
}
double gain(double q, double a) { return (1 + q * q) * a; }
double limited(double x, int n) { if (x > n) ModelicaError("x is too large"); return 1; }
"""

SPRING = """
function spring
  input Real x;
  output Real f;
  external "C" f = spring(x) annotation(Library="pieces");
  annotation(%s);
end spring;
function spring_der
  input Real x;
  input Real dx;
  output Real df;
  external "C" df = spring_der(x, dx) annotation(Library="pieces");
end spring_der;
model Duffing
  Real x(start=1, fixed=true), v(start=0, fixed=true);
equation
  der(x) = v;
  der(v) = -spring(x);
  annotation(experiment(StopTime=2, Tolerance=1e-8));
end Duffing;
"""


CIRCLE = """
function square
  input Real x;
  input Real y;
  output Real s;
  external "C" s = square(x, y) annotation(Library="pieces");
  annotation(derivative=%s);
end square;
function square_der
  input Real x;
  input Real y;
  input Real dx;
  input Real dy;
  output Real ds;
  external "C" ds = square_der(x, y, dx, dy) annotation(Library="pieces");
  annotation(derivative(order=2)=square_der2);
end square_der;
function square_der2
  input Real x;
  input Real y;
  input Real dx;
  input Real dy;
  input Real ddx;
  input Real ddy;
  output Real dds;
  external "C" dds = square_der2(x, y, dx, dy, ddx, ddy) annotation(Library="pieces");
end square_der2;
function square_rate
  input Real x;
  input Real y;
  input Real dx;
  input Real dy;
  output Real ds;
algorithm
  ds := 2*(x*dx + y*dy);
end square_rate;
model Circle
  Real x(start=1, fixed=true), y(start=0), u(start=0), v(start=1, fixed=true), force(start=1);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -force*x;
  der(v) = -force*y;
  square(x, y) = 1;
  annotation(experiment(StopTime=2, Tolerance=1e-7));
end Circle;
"""


class External(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        source = os.path.join(self.folder.name, "pieces.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(CODE)
        subprocess.run([CXX, "-x", "c", "-shared", "-fPIC", "-O1", source, "-o",
                        os.path.join(self.folder.name, "libpieces.so"), "-lm"], check=True)

    def tearDown(self):
        self.folder.cleanup()

    def simulate(self, text, *options):
        path = os.path.join(self.folder.name, "model.mo")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return subprocess.run([HYDAE, "simulate", path, "--output", "-", "--points", "3", *options],
                              capture_output=True, text=True, check=False)

    def last_row(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        return {name: float(value) for name, value in rows[-1].items()}

    def test_code_is_not_loaded_unless_allowed(self):
        result = self.simulate(SPRING % "")
        self.assertEqual(result.returncode, 1)
        self.assertIn("[external-not-allowed]", result.stderr)
        self.assertIn("--allow-external", result.stderr)

    def test_the_energy_of_a_nonlinear_spring_is_kept(self):
        # v^2/2 + x^2/2 + x^4/4 is constant: 3/4. Ten tolerances of 1e-8, with derivatives by
        # differences and by the annotation.
        for annotation in ["", "derivative=spring_der"]:
            row = self.last_row(self.simulate(SPRING % annotation, "--allow-external"))
            energy = row["v"] ** 2 / 2 + row["x"] ** 2 / 2 + row["x"] ** 4 / 4
            self.assertAlmostEqual(energy, 0.75, delta=1e-7)

    def test_a_second_derivative_of_an_impulse_is_not_taken_through_code(self):
        # x jumps, a = x''' is delta'', and z = A a with A = 1 + q^2 contains A'' delta: with the slope A
        # itself the third derivative of the code.
        result = self.simulate('''function gain input Real q; input Real a; output Real z;
          external "C" z = gain(q, a) annotation(Library="pieces"); end gain;
          model Kick Real x, v, y, a, z, q(start=0, fixed=true), r(start=0, fixed=true);
          equation x = if time < 0.5 then 0 else 2; v = der(x); y = der(v); a = der(y); z = gain(q, a);
            der(q) = 1; der(r) = z; end Kick;''', "--allow-external")
        self.assertEqual(result.returncode, 3)
        self.assertIn("a derivative of an impulse meets equation `f5`", result.stderr)
        self.assertIn("function `gain` exists as code only [impulse-through-code]", result.stderr)

    def test_a_constraint_is_differentiated_by_the_annotations(self):
        # x^2 + y^2 = 1 without other forces: (cos t, sin t), force 1. The constraint is differentiated
        # twice; the ripple has second derivatives of 1e4, so differences would give a wrong force.
        # 100 tolerances for positions after 2 time units, 1000 for the force, which follows from second
        # derivatives.
        for annotation in ["square_der", "square_rate"]:
            row = self.last_row(self.simulate(CIRCLE % annotation, "--allow-external"))
            self.assertAlmostEqual(row["x"], math.cos(2), delta=1e-5)
            self.assertAlmostEqual(row["y"], math.sin(2), delta=1e-5)
            self.assertAlmostEqual(row["force"], 1, delta=1e-4)

    def test_a_derivative_that_does_not_fit_is_reported(self):
        result = self.simulate(CIRCLE % "square_der2", "--allow-external")
        self.assertEqual(result.returncode, 1)
        self.assertIn("[derivative-annotation]", result.stderr)
        self.assertIn("it has 6 inputs", result.stderr)

    def test_arrays_and_several_outputs(self):
        # x' = A x with A = ((0, 1), (-1, 0)) from (1, 0): (cos t, -sin t), and the sum of x'.
        row = self.last_row(self.simulate("""
            function product
              input Real A[:, :];
              input Real x[:];
              output Real y[size(A, 1)];
              output Real sum;
              external "C" product(A, size(A, 1), size(A, 2), x, size(x, 1), y, size(y, 1), sum)
                annotation(Library="pieces");
            end product;
            model Rotation
              Real x[2](start={1, 0}, each fixed=true), s;
              Real y[2];
            equation
              (y, s) = product([0, 1; -1, 0], x);
              der(x) = y;
              annotation(experiment(StopTime=1, Tolerance=1e-8));
            end Rotation;""", "--allow-external"))
        self.assertAlmostEqual(row["x[1]"], math.cos(1), delta=1e-7)
        self.assertAlmostEqual(row["x[2]"], -math.sin(1), delta=1e-7)
        self.assertAlmostEqual(row["s"], -math.sin(1) - math.cos(1), delta=2e-7)

    def test_a_function_of_the_system(self):
        # x' = -hypot(x, 0) = -x for x > 0.
        row = self.last_row(self.simulate("""
            function length
              input Real a;
              input Real b;
              output Real c;
              external "C" c = hypot(a, b) annotation(Library="m");
            end length;
            model Decay
              Real x(start=1, fixed=true);
            equation
              der(x) = -length(x, 0);
              annotation(experiment(StopTime=1, Tolerance=1e-8));
            end Decay;""", "--allow-external"))
        self.assertAlmostEqual(row["x"], math.exp(-1), delta=1e-7)

    def test_an_error_of_the_code_is_told_with_its_arguments(self):
        result = self.simulate("""
            function limited
              input Real x;
              input Integer n;
              output Real y;
              external "C" y = limited(x, n) annotation(Library="pieces");
            end limited;
            model Rising
              Real x(start=0, fixed=true);
            equation
              der(x) = limited(x, 3);
              annotation(experiment(StopTime=10));
            end Rising;""", "--allow-external")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[undefined-function]", result.stderr)
        self.assertIn("limited(3", result.stderr)
        self.assertIn("x is too large", result.stderr)

    def test_an_error_of_the_code_while_the_model_is_read_is_one_of_the_model(self):
        result = self.simulate("""
            function limited
              input Real x;
              input Integer n;
              output Real y;
              external "C" y = limited(x, n) annotation(Library="pieces");
            end limited;
            model Known
              Real v[integer(limited(5, 3))] = {time};
            end Known;""", "--allow-external")
        self.assertEqual(result.returncode, 1)
        self.assertIn("x is too large", result.stderr)
        self.assertIn("[external-failed]", result.stderr)

    def test_events_between_code(self):
        # A mass on the nonlinear spring hits a wall at x = 0 elastically: it moves like the free one, reflected, and its
        # energy stays 3/4. spring(x) > 1 (x > 0.6823) becomes true once behind each hit.
        text = (SPRING % "").replace("der(v) = -spring(x);", """der(v) = -spring(x);
  when x <= 0 then
    reinit(v, -pre(v));
    hits = pre(hits) + 1;
  end when;
  when spring(x) > 1 then
    rises = pre(rises) + 1;
  end when;""").replace("v(start=0, fixed=true);", """v(start=0, fixed=true);
  Integer hits(start=0, fixed=true), rises(start=0, fixed=true);""").replace("StopTime=2", "StopTime=5")
        result = self.simulate(text, "--allow-external")
        row = self.last_row(result)
        energy = row["v"] ** 2 / 2 + row["x"] ** 2 / 2 + row["x"] ** 4 / 4
        self.assertAlmostEqual(energy, 0.75, delta=1e-6)
        # A quarter of the period is the integral of dx/v from 0 to 1, 1.1920: hits at 1.192 and 3.576.
        self.assertEqual((row["hits"], row["rises"]), (2, 2))
        result = self.simulate(text, "--allow-external", "--solver", "taylor")
        self.assertEqual(result.returncode, 1)
        self.assertIn("[not-for-taylor]", result.stderr)
        self.assertIn("model.mo:", result.stderr)

    def test_what_is_not_there_is_named(self):
        result = self.simulate((SPRING % "").replace('"pieces"', '"nowhere"'), "--allow-external")
        self.assertEqual(result.returncode, 1)
        self.assertIn("[external-not-found]", result.stderr)
        self.assertIn("libnowhere.so", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
