#!/usr/bin/env python3
"""What is given to variables that the solvers do without: observed variables, which nobody reads, and
aliases. Their start values and bounds count as those of all others, and what was moved is said.
Expected values are derived beside each model."""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
SOLVERS = ("taylor", "ida")


def run(command, text, *arguments):
    name = os.path.join(FOLDER.name, "M.mo")
    with open(name, "w") as handle:
        handle.write(text)
    return subprocess.run([TOOL, command, name, *arguments], capture_output=True, text=True, timeout=120)


class GivenStarts(unittest.TestCase):
    def point(self, text, *options):
        result = run("init", text, "--format", "json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def first_row(self, text, *options):
        result = run("simulate", text, "--stop", "0.1", "--output", "-", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        header, row = result.stdout.splitlines()[:2]
        return dict(zip(header.split(","), map(float, row.split(","))))

    # By init and by simulate with both methods.
    def expect(self, text, *options, **expected):
        rows = [{name: values[0] for name, values in self.point(text, *options)["values"].items()}]
        rows += [self.first_row(text, "--solver", solver, *options) for solver in SOLVERS]
        for row in rows:
            for name, value in expected.items():
                self.assertAlmostEqual(row[name], value, delta=1e-6 * max(1, abs(value)), msg=name)

    # {name: (from, to)}, the same from both commands
    def expect_moved(self, text, moved, *options):
        def pairs(entries):
            return {entry["variable"]: (entry["from"], round(entry["to"], 6)) for entry in entries}
        self.assertEqual(pairs(self.point(text, *options)["moved"]), moved)
        self.assertEqual(run("init", text, *options).stdout.count("start value of"), len(moved))
        for solver in SOLVERS:
            stats = os.path.join(FOLDER.name, "stats.json")
            result = run("simulate", text, "--stop", "0.1", "--solver", solver, "--stats", stats, *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(stats) as handle:
                self.assertEqual(pairs(json.load(handle)["moved_starts"]), moved)

    def test_what_moved_is_told_by_the_name_under_which_it_was_given(self):
        # y = -x = 2 is more than its bound allows
        self.expect_moved("model M Real x, y(start=2, max=1); equation der(x)=-x; x=-y; end M;", {"y": (2.0, 1.0)})
        self.expect_moved("model M input Real w(start=3); Real x(start=1), y; equation der(x)=-x+w; y=2*w; end M;", {},
                          "--start-value", "w=7")

    def test_what_the_options_say_is_told_where_it_moved(self):
        result = run("simulate", "model M Real x(start=1, fixed=true); equation der(x)=-2*x; end M;", "--stop", "1",
                     "--start-value", "der(x)=3")
        self.assertIn("start value of `der(x)` moved from 3 to -2: `f1`", result.stderr)

    def test_bounds_that_are_in_the_way_are_named(self):
        result = run("init", "model M Real x(start=4, min=3); initial equation x^2=4; equation der(x)=-x; end M;")
        self.assertEqual(result.returncode, 3)
        self.assertIn("bounds are in the way: `x >= 3`", result.stderr)

    def test_bounds_of_equal_variables_that_contradict_each_other_are_an_error(self):
        result = run("check", "model M Real y(min=5), z(max=2), x(start=1); equation y=x; z=x; der(x)=-x; end M;")
        self.assertEqual(result.returncode, 1)
        self.assertIn("`x = y = z`: min = 5 is larger than max = 2 [empty-range]", result.stderr)

    def test_a_parameter_has_no_start_value(self):
        result = run("init", "model M parameter Real p=1; Real x(start=1); equation der(x)=-p*x; end M;", "--fixed", "p=7")
        self.assertEqual(result.returncode, 2)
        self.assertIn("`p` is a parameter of model `M`: it has no start value", result.stderr)

    def test_flat_text_keeps_all_start_values(self):
        text = run("flatten", "model M Real x(start=1, fixed=true), y(start=2, fixed=true); equation der(x)=-x; x=-y; end M;").stdout
        self.assertIn("Real y(start = 2, fixed = true) = -x;", text)
        self.assertEqual(run("init", text).returncode, 3)

    def test_an_initial_equation_is_solved_for_a_discrete_value(self):
        for form in ("x=pre(d)+1", "2*(pre(d)-3)=x-4", "1=(x-pre(d))/1", "0=-pre(d)+x-1"):
            point = self.point(f"model M discrete Real d; Real x(start=4, fixed=true); initial equation {form}; equation der(x)=d; "
                               "when time>1 then d=x; end when; end M;")
            self.assertAlmostEqual(point["values"]["d"][0], 3, delta=1e-12, msg=form)

    def test_an_observed_variable_without_a_value_lets_go_of_what_it_reads(self):
        # p = 2 leaves no q = sqrt(1 - p^2). On the circle with q >= 0 the closest point to (2, 1) is (2, 1)/sqrt(5),
        # whether somebody reads q, and in whatever form the circle is written.
        expected = {"p": 2 / 5**0.5, "q": 1 / 5**0.5}
        for text in ("model M Real p(start = 2), q(start = 1); equation der(p) = 0.3; q = sqrt(1 - p^2); end M;",
                     "model M Real p(start = 2), q(start = 1), z; equation der(p) = 0.3; q = sqrt(1 - p^2); der(z) = q; end M;",
                     "model M Real p(start = 2), q(start = 1); equation der(p) = 0.3; q^2 = 1 - p^2; end M;"):
            self.expect(text, **expected)
            because = {moved["variable"]: moved["because"] for moved in self.point(text)["moved"]}
            self.assertEqual(because, {"p": "f2", "q": "f2"})

    def test_a_dropped_start_value_of_an_equal_variable_is_said_by_name(self):
        text = "model M Real x(start = 1), y(start = 2); equation der(x) = -x; x - y = 0; end M;"
        for options in ((), ("--least-norm",)):
            point = self.point(text, *options)
            self.assertEqual(point["moved"], [{"variable": "y", "from": 2, "to": 1, "because": "it is x"}])
            self.assertEqual(point["values"], {"x": [1, -1], "y": [1, -1]})
            self.assertIn("  y = 1, -1\n", run("init", text, *options).stdout)
        opposite = "model M Real x(start = 1), y(start = 2); equation der(x) = -x; x + y = 0; end M;"
        moved = self.point(opposite, "--start-value", "y=3")["moved"]
        self.assertEqual(moved, [{"variable": "x", "from": 1, "to": -3, "because": "it is -y"}])

    def test_no_start_value_has_moved_where_there_is_no_point(self):
        text = "model M Real x(start = 2), y(start = 1); equation der(x) = y; x^2 + y^2 = -1; end M;"
        result = run("init", text)
        self.assertEqual(result.returncode, 3)
        self.assertNotIn("moved", result.stdout + result.stderr)
        self.assertEqual(json.loads(run("init", text, "--format", "json").stdout)["moved"], [])

    def test_an_observed_variable_says_what_its_state_is(self):
        # T = 300 and U = 4200 T; nobody gave U a value
        text = "model M Real U, T(start=300); equation der(U) = -1; U = 4200*T; end M;"
        self.expect(text, T=300, U=1.26e6)
        self.expect_moved(text, {})
        for value, x in (("2*x", 0.1), ("2*sin(x)", math.asin(0.1)), ("min(x, 0.5)", 0.2),
                         ("noEvent(if x > 0.5 then 2*x - 0.5 else x)", 0.2)):
            self.expect(f"model M Real x, y(start=0.2); equation der(x) = -x; y = {value}; end M;", x=x, y=0.2)

    def test_a_chain_of_observed_variables(self):
        # y = x + 1 = 5, read by z = y^2 alone, which nobody reads
        self.expect("model M Real x, y(start=5), z; equation der(x) = -x; y = x + 1; z = y^2; end M;", x=4, y=5, z=25)

    def test_of_two_observed_variables_the_first_is_held(self):
        # both follow from x, which nobody gave: order of declaration, StateSelect before it
        text = "model M Real x, y(start=2), z(start=9{}); equation der(x) = -x; y = 2*x; z = 3*x; end M;"
        self.expect(text.format(""), x=1, y=2, z=3)
        self.expect_moved(text.format(""), {"z": (9, 3)})
        self.expect(text.format(", stateSelect=StateSelect.always"), x=3, y=6, z=9)

    def test_a_state_is_held_before_what_observes_it_and_that_is_said(self):
        text = "model M Real x(start=1), v(start=2), E(start=100); equation der(x) = v; der(v) = -x; E = x^2 + v^2; end M;"
        self.expect(text, x=1, v=2, E=5)
        self.expect_moved(text, {"E": (100, 5)})
        self.expect_moved("model M Real x(start=7); output Real y(start=3); equation der(x) = -x; y = x + 1; end M;",
                          {"y": (3, 8)})

    def test_what_has_no_solution_with_an_observed_start_is_the_closest(self):
        # y = sin(x) never is 2: closest is 1, where y does not depend on x; so the default of x counts
        # as well, x^2 + (sin(x) - 2)^2 is smallest where x + (sin(x) - 2) cos(x) = 0
        values = self.point("model M Real x, y(start=2); equation der(x) = -x; y = sin(x); end M;")["values"]
        self.assertAlmostEqual(values["x"][0], 0.83911957, delta=1e-6)
        self.assertAlmostEqual(values["y"][0], 0.74405517, delta=1e-6)

    def test_bounds_of_observed_variables_are_respected(self):
        # x + 1 <= 4; x^2 >= 1/2
        self.expect("model M Real x(start=7), y(max=4); equation der(x) = -x; y = x + 1; end M;", x=3, y=4)
        self.expect("model M Real x(start=0.3), y(min=0.5), z; equation der(x) = -x; y = x^2; z = y; end M;",
                    x=math.sqrt(0.5), y=0.5)

    def test_bounds_that_cannot_be_kept_are_said_in_the_same_words(self):
        for text, words in (
                ("model M Real x(start=7, fixed=true), y(max=4); equation der(x) = -x; y = x + 1; end M;",
                 "`y` leaves its max = 4 at the start, t = 0: it is 8 at t = 0"),
                ("model M Real x(start=2, fixed=true, max=1.5); equation der(x) = -x; end M;",
                 "`x` leaves its max = 1.5 at the start, t = 0: it is 2 at t = 0")):
            for command, options in (("init", ()), ("simulate", ("--solver", "taylor")), ("simulate", ("--solver", "ida"))):
                result = run(command, text, *options)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(words, result.stderr)

    def test_an_observed_variable_that_leaves_its_bound_later(self):
        # x = t, y = t^2 passes 1/4 at t = 1/2
        for solver in SOLVERS:
            result = run("simulate", "model M Real x(start=0, fixed=true), y(max=0.25); equation der(x) = 1; y = x^2; end M;",
                         "--stop", "1", "--solver", solver)
            self.assertIn("`y` leaves its max = 0.25 from t = 0.5", result.stderr)

    def test_options_give_observed_variables_values(self):
        text = "model M Real x, y; equation y = 2*x + 1; der(x) = 1; end M;"
        for option in ("--start-value", "--fixed"):
            self.expect(text, option, "y=2", x=0.5, y=2)
        # x and y = 2 x from (1, 5): (x - 1) + 2 (2 x - 5) = 0
        text = "model M Real x(start=1), y(start=5); equation y = 2*x; der(x) = 1; end M;"
        self.expect(text, "--guesses", "closest", x=2.2, y=4.4)

    def test_equal_variables_with_different_fixed_values_contradict_each_other(self):
        text = "model M Real x(start=1, fixed=true), y(start={}, fixed=true); equation der(x) = -x; y = -x; end M;"
        for command, *options in (("init",), ("simulate", "--solver", "taylor"), ("simulate", "--solver", "ida")):
            result = run(command, text.format(5), *options)
            self.assertEqual(result.returncode, 3)
            self.assertIn("fixed start values cannot hold together: `x = 1` and `y = 5`", result.stderr)
            self.assertIn("[conflicting-start-values]", result.stderr)
            self.assertEqual(run(command, text.format(-1), *options).returncode, 0)

    def test_start_values_of_aliases_that_gave_way_are_said(self):
        start = "model M Real x{}, y{}; equation der(x) = -x; y = -x; end M;"
        text = start.format("(start=1)", "(start=5)")
        self.expect(text, x=1, y=-1)
        self.expect_moved(text, {"y": (5, -1)})
        text = start.format("(start=1)", "(start=5, fixed=true)")
        self.expect(text, x=-5, y=5)
        self.expect_moved(text, {"x": (1, -5)})
        text = "model M Real x, y(start=5), z(start=2); equation der(x) = -x; y = -x; z = y; end M;"
        self.expect(text, x=-5, y=5, z=5)
        self.expect_moved(text, {"z": (2, 5)})
        self.expect_moved(start.format("(start=1)", "(start=-1)"), {})

    def test_options_speak_of_aliases(self):
        text = "model M Real x(start=0.3), y; equation y = -x; der(x) = 1; end M;"
        for option in ("--start-value", "--fixed"):
            self.expect(text, option, "y=2", x=-2, y=2)
        self.expect_moved(text, {"x": (0.3, -2)}, "--start-value", "y=2")
        result = run("init", "model M Real x(start=0.3, fixed=true), y; equation y = -x; der(x) = 1; end M;", "--fixed", "y=2")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[conflicting-start-values]", result.stderr)
        text = "model M Real x, v, y; equation y = -x; der(x) = v; der(v) = 1; end M;"
        self.expect(text, "--start-value", "der(y)=3", v=-3)
        self.assertEqual(run("init", text, "--start-value", "nobody=1").returncode, 2)

    def test_bounds_of_equal_variables_count_together(self):
        # y = -x: x in [0, 5] and in [-3, -2]... -y in [2, 3]
        text = "model M Real x(start=9, min=0, max=5), y(min=-3, max=-2); equation der(x) = 1; y = -x; end M;"
        self.expect(text, x=3, y=-3)

    def test_a_range_without_values_is_an_error_of_the_model(self):
        for limits, options in (("min=1, max=0.5", ()), ("min=p, max=0.5", ("--set", "p=1"))):
            text = f"model M parameter Real p = 0; Real x(start=0.9, {limits}); equation der(x) = 1; end M;"
            for command in ("init", "simulate"):
                result = run(command, text, *options)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("`x`: min = 1 is larger than max = 0.5 [empty-range]", result.stderr)

    def test_initial_equations_that_contradict_are_all_named(self):
        result = run("init", "model M Real x, y; initial equation x + y = 3; x + y = 4; equation der(x) = -x; der(y) = -y; end M;")
        self.assertEqual(result.returncode, 3)
        self.assertIn("initial equations cannot hold together: `x + y = 3` and `x + y = 4`", result.stderr)
        result = run("init", """model M Real x(start=1, fixed=true), v(start=3, fixed=true); initial equation x + v = 5;
            equation der(x) = v; der(v) = -x; end M;""")
        self.assertEqual(result.returncode, 3)
        self.assertIn("fixed start values and initial equations cannot hold together: `x = 1`, `v = 3` and `x + v = 5`",
                      result.stderr)

    def test_equations_without_a_solution_are_no_conflict_of_start_values(self):
        result = run("init", "model M Real x(start=1), y(start=2, fixed=true); equation x^2 + 1 = 0; der(y) = x; end M;")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[initialization-failed]", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
