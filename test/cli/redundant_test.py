#!/usr/bin/env python3
"""Equations that follow from the others: refused with their names, or dropped and checked. Expected
values are derived beside each model, or are those of the model without what is said twice."""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
RUNS = [(solver, tolerance) for solver in ("auto", "taylor", "ida") for tolerance in ("1e-4", "1e-6", "1e-9")]

# One pendulum, and the same with its constraint said twice, in several forms. The force is lambda = F + G.
SINGLE = """model P Real x(start=0.6), y(start=-0.8), u(start=1.6), v(start=1.2), F; equation
  der(x)=u; der(y)=v; der(u)=-F*x; der(v)=-F*y-9.81; x^2+y^2=1; end P;"""
DOUBLE = """model P Real x(start=0.6), y(start=-0.8), u(start=1.6), v(start=1.2), F, G; equation
  {} end P;"""
MOTION = "der(x)=u; der(y)=v; der(u)=-(F+G)*x; der(v)=-(F+G)*y-9.81;"
FORMS = {
    "twice": DOUBLE.format(MOTION + "x^2+y^2=1; x^2+y^2=1;"),
    "scaled, before": DOUBLE.format("2*x^2+2*y^2=2;" + MOTION + "x^2+y^2=1;"),
    "as a length": DOUBLE.format(
        "der(x)=u; der(y)=v; x^2+y^2=1; der(u)=-F*x-G*x/sqrt(x^2+y^2); der(v)=-F*y-G*y/sqrt(x^2+y^2)-9.81; sqrt(x^2+y^2)=1;"),
    "differentiated": DOUBLE.format(MOTION + "x^2+y^2=1; x*u+y*v=0;"),
}

SOURCES = """model Sources
  connector Pin Real v; flow Real i; end Pin;
  model Source parameter Real V = 10; Pin p, n; equation p.v - n.v = V*cos(time); p.i + n.i = 0; end Source;
  model Resistor parameter Real R = 5; Pin p, n; equation p.v - n.v = R*p.i; p.i + n.i = 0; end Resistor;
  model Ground Pin p; equation p.v = 0; end Ground;
  Source s1{}, s2; Resistor r; Ground g;
equation
  connect(s1.p, s2.p); connect(s1.p, r.p);
  connect(s1.n, s2.n); connect(s1.n, r.n); connect(s1.n, g.p);
end Sources;"""

# Crank, coupler, rocker; the loop is closed by position and axis in space. Out of the plane act a load of
# 6 on the coupler and the reactions of the joints.
FOUR_BAR = """model FourBar
  parameter Real l1 = 1, l2 = 2, l3 = 1.5, d = 2.2, m = 1, g = 9.81;
  Real a(start = 1.2, fixed = true), b(start = 0.4), c(start = 1.9), wa(start = 0, fixed = true), wc;
  Real p[3], q[3], r[3], eb[3], ec[3], f[3]{};
equation
  p = {{l1*cos(a), l1*sin(a), 0}}; q = p + {{l2*cos(b), l2*sin(b), 0}}; r = {{d + l3*cos(c), l3*sin(c), 0}};
  eb = {{0, 0, 1}}; ec = {{0, 0, 1}};
  der(a) = wa; der(c) = wc;
  m*l1^2/3*der(wa) = -m*g*l1/2*cos(a) + l1*(-sin(a)*f[1] + cos(a)*(f[2] - m*g));
  0 = -sin(b)*f[1] + cos(b)*(f[2] - m*g);
  m*l3^2/3*der(wc) = -m*g*l3/2*cos(c) - l3*(-sin(c)*f[1] + cos(c)*f[2]);
  {}
end FourBar;"""
IN_SPACE = FOUR_BAR.format(
    ", t[2], fzb, txb, tyb",
    "q = r; eb[1] = ec[1]; eb[2] = ec[2]; 0 = f[3] + fzb - 6;"
    "0 = t[1] + txb + (q[2] - p[2])*f[3] - 3*(q[2] - p[2]); 0 = t[2] + tyb - (q[1] - p[1])*f[3] + 3*(q[1] - p[1]);")
IN_PLANE = FOUR_BAR.format("", "q[1] = r[1]; q[2] = r[2]; f[3] = 0;")


def file_with(text):
    name = os.path.join(FOLDER.name, "M.mo")
    with open(name, "w") as handle:
        handle.write(text)
    return name


def simulate(text, *options):
    words = [TOOL, "simulate", file_with(text), "--no-progress", *options]
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


class Redundant(unittest.TestCase):
    def rows(self, text, *options):
        result = simulate(text, "--output", "-", "--stop", "1", "--points", "11", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(result.stdout.splitlines())]

    def dropped(self, text, solver, tolerance):
        return self.rows(text, "--redundant", "drop", "--solver", solver, "--tolerance", tolerance)

    def test_a_constraint_that_is_said_twice_changes_nothing(self):
        exact = self.rows(SINGLE, "--solver", "taylor", "--tolerance", "1e-12")
        for name, form in FORMS.items():
            for solver, tolerance in RUNS:
                with self.subTest(form=name, solver=solver, tolerance=tolerance):
                    bound = 1e3 * float(tolerance)
                    for row, right in zip(self.dropped(form, solver, tolerance), exact):
                        for variable in ("x", "y", "u", "v"):
                            self.assertAlmostEqual(row[variable], right[variable], delta=bound)
                        total = row["F"] + row["G"]
                        self.assertAlmostEqual(total, right["F"], delta=100 * bound)
                        if name != "differentiated":
                            self.assertAlmostEqual(row["F"], row["G"], delta=1e-9 * abs(total))

    def test_sources_side_by_side_share_the_current(self):
        # 10 cos(t) on 5: 2 cos(t), half of it from each
        for solver, tolerance in RUNS:
            for row in self.dropped(SOURCES.format(""), solver, tolerance):
                for name in ("s1.p.i", "s2.p.i"):
                    self.assertAlmostEqual(row[name], -math.cos(row["time"]), delta=1e-9)

    def test_start_and_nominal_values_say_how_to_share(self):
        # i + j = 2 closest to (0, 3): (-0.5, 2.5); with units 1 and 2 the multiplier is 2/5: i = 2/5, j = 8/5
        model = "model M Real i{}, j{}, v; equation v = 4; v = 4; i + j = v/2; end M;"
        last = self.rows(model.format("", "(start=3)"), "--redundant", "drop")[-1]
        self.assertAlmostEqual(last["i"], -0.5, delta=1e-12)
        self.assertAlmostEqual(last["j"], 2.5, delta=1e-12)
        last = self.rows(model.format("", "(nominal=2)"), "--redundant", "drop")[-1]
        self.assertAlmostEqual(last["i"], 0.4, delta=1e-12)

    def test_options_say_how_to_share(self):
        # i + j = 2 closest to (0, 3), as above
        model = "model M Real i, j, v; equation v = 4; v = 4; i + j = v/2; end M;"
        last = self.rows(model, "--redundant", "drop", "--start-value", "j=3")[-1]
        self.assertAlmostEqual(last["i"], -0.5, delta=1e-12)

    def test_what_only_repeats_a_share_does_not_count(self):
        # halves, although s integrates one of them
        last = self.rows("model M Real i, j, v, s; equation der(s) = i; v = 4; v = 4; i + j = v/2; end M;",
                         "--redundant", "drop")[-1]
        self.assertAlmostEqual(last["i"], 1, delta=1e-9)
        self.assertAlmostEqual(last["j"], 1, delta=1e-9)

    def test_four_bar_loop_of_revolute_joints_in_space(self):
        exact = self.rows(IN_PLANE, "--solver", "taylor", "--tolerance", "1e-12")
        for solver, tolerance in RUNS:
            for row, right in zip(self.dropped(IN_SPACE, solver, tolerance), exact):
                for name in ("a", "b", "c", "wa", "wc"):
                    self.assertAlmostEqual(row[name], right[name], delta=1e3 * float(tolerance))
                # z is f[3], lever arms are k = q - p: f3 + fz = 6 and t = (3 - f3) k, split as t = tx:
                # all of f3, fz, t, tx smallest: f3 = 3 by symmetry, and so all torques are zero
                self.assertAlmostEqual(row["f[3]"], 3, delta=1e-6)
                self.assertAlmostEqual(row["fzb"], 3, delta=1e-6)
                self.assertAlmostEqual(row["txb"], 0, delta=1e-6)

    def test_a_differential_equation_that_a_constraint_contains(self):
        # x + y = 1, x' = y - x: x = 1/2 - exp(-2t)/4. The constraint stays, one of the others goes.
        model = "model M Real x(start=0.25), y(start=0.75); equation der(x)=y-x; der(y)=x-y; x+y=1; end M;"
        for solver, tolerance in RUNS:
            for row in self.dropped(model, solver, tolerance):
                self.assertAlmostEqual(row["x"], 0.5 - math.exp(-2 * row["time"]) / 4, delta=1e2 * float(tolerance))
                self.assertAlmostEqual(row["x"] + row["y"], 1, delta=float(tolerance))

    def test_by_default_they_are_named_with_their_lines(self):
        result = simulate("model M Real i, j, v;\nequation\n  v = 4;\n  i + j = v;\n  2*v = 8;\nend M;")
        self.assertEqual(result.returncode, 1)
        self.assertIn("M.mo:5:3: error: equation `f3` follows from the others [redundant-equations]", result.stderr)
        self.assertIn("`f3` follows from `f1` (", result.stderr)
        self.assertIn("M.mo:3:3)", result.stderr)
        self.assertIn("`i` and `j`", result.stderr)
        self.assertIn("--redundant drop", result.stderr)

    def test_statistics_say_what_was_dropped(self):
        stats = os.path.join(FOLDER.name, "stats.json")
        result = simulate(FORMS["twice"], "--redundant", "drop", "--stats", stats, "--stop", "1")
        self.assertIn("note: equation `f6` (", result.stderr)
        self.assertIn("follows from `f5`", result.stderr)
        with open(stats) as handle:
            data = json.load(handle)
        self.assertEqual([(e["equation"], e["follows_from"]) for e in data["dropped_equations"]], [("f6", ["f5"])])
        self.assertEqual(data["least_norm"], ["F", "G"])
        self.assertLess(data["max_dropped_residual"], 1e-6)
        self.assertTrue(data["dropped_equations"][0]["source"].endswith("M.mo:2:72"), data["dropped_equations"])

    def test_what_ceases_to_hold_ends_the_run(self):
        drifting = "model M Real i, j, v; equation v = 10*cos(time); v = 10 - 5*time^2; i + j = v; end M;"
        for solver in ("taylor", "ida"):
            # 10 t^4/24 is a hundred tolerances, 100 (1e-6 (10 + 1)), at 0.227; seen at the end of a step
            result = simulate(drifting, "--redundant", "drop", "--solver", solver, "--max-step", "0.02")
            self.assertEqual(result.returncode, 3, result.stderr)
            t = float(result.stderr.split("stopped at t = ")[1].split(":")[0])
            self.assertIn("[inconsistent-redundancy]", result.stderr)
            self.assertGreater(t, 0.22)
            self.assertLess(t, 0.26)

    def test_equations_with_relations_are_not_dropped(self):
        # whether they hold in other modes is not followed
        result = simulate("model M Real i, j, v; equation v = 10; v = if time < 0.5 then 10 else 12; i + j = v; end M;",
                          "--redundant", "drop")
        self.assertEqual(result.returncode, 1, result.stderr)

    def test_contradictions_are_named_as_few_as_possible(self):
        model = "model M Real i, j, v, w;\nequation\n  v = 10;\n  w = 3*v;\n  v = 12;\n  i + j = v;\nend M;"
        result = simulate(model, "--redundant", "drop")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("M.mo:5:3: error: initialization: equations contradict each other: `f1` and `f3`", result.stderr)
        self.assertIn("M.mo:3:3)", result.stderr)

    def test_what_is_merely_missing_is_no_redundancy(self):
        result = simulate("model M Real x(start=1, fixed=true), y; equation der(x) = y; end M;", "--redundant", "drop")
        self.assertEqual(result.returncode, 1)
        self.assertIn("too-few-equations", result.stderr)

    def test_regular_models_run_as_they_are(self):
        plain, dropped = (self.rows(SINGLE, "--redundant", word) for word in ("refuse", "drop"))
        self.assertEqual(plain, dropped)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
