#!/usr/bin/env python3
"""Initial values as a user meets them: the statements of the papers about consistent points, and
what `init` and `simulate` make of start values. Expected values are derived beside each model."""
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

PENDULUM = """model Pendulum Real x(start = {}), y(start = {}), u(start = {}), v(start = {}), F;
  equation der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - 9.81; x^2 + y^2 = 1; end Pendulum;"""


def run(*arguments, timeout=120):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=timeout)


def file_with(text):
    name = os.path.join(FOLDER.name, "M.mo")
    with open(name, "w") as handle:
        handle.write(text)
    return name


class InitialValues(unittest.TestCase):
    def point(self, text, *options):
        result = run("init", text if text.startswith("problem:") else file_with(text), "--format", "json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def values(self, text, *options):
        return {name: values[0] for name, values in self.point(text, *options)["values"].items()}

    def rows(self, text, *options):
        result = run("simulate", file_with(text), "--output", "-", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split(",") for line in result.stdout.splitlines()]
        return [dict(zip(lines[0], map(float, line))) for line in lines[1:]]

    def expect(self, found, **expected):
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], value, delta=1e-6 * max(1, abs(value)), msg=name)

    def test_consistent_guesses_stay_under_every_command_and_solver(self):
        text = PENDULUM.format(0.6, -0.8, 1.6, 1.2)
        self.expect(self.values(text), x=0.6, y=-0.8, u=1.6, v=1.2)
        for solver in SOLVERS:
            self.expect(self.rows(text, "--stop", "0.1", "--solver", solver)[0], x=0.6, y=-0.8, u=1.6, v=1.2)

    def test_a_velocity_where_the_position_determines_nothing(self):
        self.expect(self.values(PENDULUM.format(1, 0, 0, 3)), x=1, y=0, u=0, v=3)

    def test_an_initial_equation_moves_what_it_determines_and_says_so(self):
        text = """model G4 Real x(start = 1), v(start = 3); initial equation der(x) = 7;
            equation der(x) = v; der(v) = -x; end G4;"""
        point = self.point(text)
        self.assertEqual([moved["variable"] for moved in point["moved"]], ["v"])
        self.expect(self.values(text), x=1, v=7)
        for solver in SOLVERS:
            result = run("simulate", file_with(text), "--stop", "1", "--solver", solver)
            self.assertIn("start value of `v` moved from 3 to 7", result.stderr)
            self.expect(self.rows(text, "--stop", "0.1", "--solver", solver)[0], x=1, v=7)

    def test_a_default_gives_way_to_a_start_value(self):
        text = """model Given Real a(start = 2); Real b; equation der(a) + 0.5*der(b) = 1; b = 5 - a; end Given;"""
        self.expect(self.values(text), a=2, b=3)
        self.expect(self.rows(text, "--stop", "1")[-1], a=4)  # der(a) (1 - 0.5) = 1

    def test_a_guess_without_a_solution_behind_it_is_let_go(self):
        text = "model Circ Real p(start = 2), q(start = 1); equation der(p) = 0.3; p^2 + q^2 = 1; end Circ;"
        for options in ((), ("--guesses", "closest")):
            self.expect(self.values(text, *options), p=2 / math.sqrt(5), q=1 / math.sqrt(5))

    def test_a_bound_across_blocks_is_followed(self):
        text = """model B2 Real x(start = 0), y(start = 1, max = 1.5), u, v;
            equation x + 2*y = 6; der(x) = u; der(y) = v; u = 1; end B2;"""
        self.expect(self.values(text), x=3, y=1.5)

    def test_the_centre_is_the_guess_not_the_bound(self):
        text = PENDULUM.format("1, max = 0.5", 1, 0, 0)
        self.expect(self.values(text), x=0.5, y=math.sqrt(0.75))

    def test_a_state_does_not_start_beyond_its_bound(self):
        text = """model M Real x(start = 0.9, max = 0.5), y(start = -1.4); equation der(x) = 1; x^2 + y^2 = 4; end M;"""
        self.expect(self.values(text), x=0.5, y=-math.sqrt(3.75))

    def test_bounds_without_a_way_around_choose_the_root(self):
        self.expect(self.values("model B3 Real x(start = 0.1, min = 0); equation x^2 - x - 6 = 0; end B3;"), x=3)
        self.expect(self.values("model B6 Real x(start = 1, min = 0); equation x^3 + x = 0; end B6;"), x=0)

    def test_closest_point_to_all_guesses(self):
        # scipy: (0.038, 0.999, 4.993, -0.192), squared distance 0.96.
        found = self.values(PENDULUM.format(1, 1, 5, 0), "--guesses", "closest")
        distance = (found["x"] - 1)**2 + (found["y"] - 1)**2 + (found["u"] - 5)**2 + found["v"]**2
        self.assertLess(distance, 0.97)

    def test_fixed_derivatives_are_held(self):
        text = "model G2 Real x(start = 1), v(start = 3); equation der(x) = v; der(v) = -x; end G2;"
        self.expect(self.values(text, "--fixed", "der(x)=7"), x=1, v=7)

    def test_over_determined_but_consistent(self):
        text = """model E5 Real x1(start = 2, fixed = true), x2(start = 0.5, fixed = true), v1(start = 1, fixed = true),
            v2(start = -0.25, fixed = true), F; equation der(x1) = v1; der(x2) = v2; F = 3;
            0 = der(v1) + der(v2) + F; 1 = x1*x2; end E5;"""
        # x1 a2 + 2 v1 v2 + a1 x2 = 0 and a1 + a2 = -3: 2 a2 - 0.5 + 0.5 a1 = 0.
        point = self.point(text)
        a1, a2 = (point["values"]["v1"] + [0])[1], (point["values"]["v2"] + [0])[1]
        self.assertAlmostEqual(a1 + a2, -3, delta=1e-9)
        self.assertAlmostEqual(2 * a2 - 0.5 + 0.5 * a1, 0, delta=1e-9)
        result = run("init", file_with(text), "--fixed", "v2=-0.3")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[conflicting-start-values]", result.stderr)

    def test_the_mode_is_found_with_the_point(self):
        text = "model Im Real x(start = 3), y; equation x = 0.5*cos(time); y = if x > 1 then 10 else 20; end Im;"
        self.expect(self.values(text), x=0.5, y=20)
        self.expect(self.rows(text, "--stop", "0.1")[0], x=0.5, y=20)

    def test_the_robot_starts_within_its_torque_limits(self):
        found = self.values("problem:parallel_robot")
        torques = [value for name, value in found.items() if name.startswith("Gamma")]
        self.assertTrue(torques)
        for torque in torques:
            self.assertLessEqual(abs(torque), 50 * (1 + 1e-12))

    def test_initial_equations_with_discrete_variables(self):
        before = "discrete Real d{}; Real x; initial equation {} equation der(x) = 0; " \
                 "when sample(0.5, 0.5) then d = pre(d) + 1; end when;"
        self.expect(self.values("model B1 " + before.format("(start = 3, fixed = true)", "x = pre(d);") + " end B1;"),
                    x=3, d=3)
        self.expect(self.values("model B2 " + before.format("", "d = 3; x = d;") + " end B2;"), x=3, d=3)
        self.expect(self.values("""model B3 Integer i(start = 1, fixed = true); Real x; initial equation x = pre(i);
            equation der(x) = 0; i = if time > 0.5 then 2 else 3; end B3;"""), x=1, i=3)

    def test_reinit_at_initialization_is_an_initial_equation(self):
        text = "model R Real x; equation der(x) = -x; when {} then reinit(x, 5); end when; end R;"
        for condition in ("initial()", "{initial(), time > 2}"):
            rows = self.rows(text.format(condition), "--stop", "1")
            self.expect(rows[0], x=5)
            self.expect(rows[-1], x=5 * math.exp(-1))

    def test_start_values_of_discrete_variables_can_be_given(self):
        text = """model Dv Real x(start = 0, fixed = true); Boolean on(start = true, fixed = true);
            Integer n(start = 0, fixed = true); equation der(x) = if on then 1 else -1;
            when sample(0.5, 1) then n = pre(n) + 1; on = pre(on); end when; end Dv;"""
        for option in ("--fixed", "--start-value"):
            last = self.rows(text, "--stop", "1", option, "on=0", option, "n=5")[-1]
            self.expect(last, x=-1, n=6)

    def test_start_values_from_parameters_that_the_initialization_finds(self):
        # q = 3 of the two roots of 9, the one next to 1; level(0) = 2 q, a guess of y = 3 q
        text = """model M parameter Real q(fixed = false, start = 1); Real level(start = 2*q, fixed = true), y(start = 3*q);
          initial equation q^2 = 9; equation der(level) = 1; der(y) = 0; end M;"""
        self.expect(self.values(text), q=3, level=6, y=3)
        for solver in SOLVERS:
            self.expect(self.rows(text, "--stop", "1", "--solver", solver)[-1], level=7)

    def test_singular_and_rectangular_systems_have_a_point_of_least_norm(self):
        # S1: the foot of the perpendicular from (1, 2) on x + y = 1. S4: the surplus equation agrees.
        self.expect(self.values("model S1 Real x(start = 1), y(start = 2); equation x + y = 1; 2*x + 2*y = 2; end S1;",
                                "--least-norm"), x=0, y=1)
        # S2: x = 1 by two equations that agree; from (2, 1) to y + z = 1.
        self.expect(self.values("""model S2 Real x(start = 1), y(start = 2), z(start = 1); equation der(x) = -x;
            x = exp(-time); y + z = x; end S2;""", "--least-norm"), x=1, y=1, z=0)
        found = self.values("""model S3 Real x(start = 1), y(start = 2), z(start = 1); equation x + y = 1; z = x*y;
            end S3;""", "--least-norm")
        self.expect({"sum": found["x"] + found["y"], "product": found["x"] * found["y"] - found["z"]}, sum=1, product=0)
        self.expect(self.values("""model S4 Real x(start = 1), y(start = 2); equation x + y = 1; x - y = 0; x*y = 0.25;
            end S4;""", "--least-norm"), x=0.5)
        result = run("init", "--least-norm", file_with("""model S5 Real x(start = 1), y(start = 2), z; equation z = 3;
            x + y = 1; x + 2*y = 0; x - y = 7; end S5;"""))
        self.assertEqual(result.returncode, 3)
        self.assertIn("[contradicting-equations]", result.stderr)
        self.assertNotIn("f1", result.stderr)

    def test_a_root_is_looked_for_where_its_branch_holds(self):
        # -2 - z = sign(x)*x^2 is negative: x = -sqrt(2 + z), z = (sqrt(2) - t/2)^2 - 2.
        text = """model Branch Real x(start = 1); Real z(start = 0, fixed = true); equation der(z) = x;
            -2 - z = sign(x)*x^2; end Branch;"""
        self.expect(self.values(text), x=-math.sqrt(2))
        self.expect(self.rows(text, "--stop", "1", "--solver", "taylor")[-1], z=(math.sqrt(2) - 0.5)**2 - 2)
        self.expect(self.values("model A Real x(start = 1); equation x*abs(x) = -3; end A;"), x=-math.sqrt(3))
        text = """model If Real x(start = 1), z; equation -2 = if x > 0 then x^2 else -x^2; der(z) = x; end If;"""
        self.expect(self.values(text), x=-math.sqrt(2))

    def test_of_several_roots_the_nearest_is_found(self):
        # Newton's first step is long in each case: from 1.7 it goes to 9.40, where the sine is small by chance.
        for equation, guess, root in (("sin(x) = 0", 1.7, math.pi), ("sin(x) = 0", 1.5, 0), ("cos(x) = 0", 3, math.pi / 2),
                                      ("x^3 - x = 0", 0.56, 1)):
            for attributes in ("", ", min = -20, max = 20"):
                text = f"model M Real x(start = {guess}{attributes}); equation {equation}; end M;"
                for options in ((), ("--guesses", "closest")):
                    self.expect(self.values(text, *options), x=root)
        steady = """model Steady Real th(start = 1.7), w(start = 0.5); initial equation der(w) = 0;
            equation der(th) = w; der(w) = -sin(th); end Steady;"""
        for options in ((), ("--guesses", "closest")):
            self.expect(self.values(steady, *options), th=math.pi, w=0.5)

    def test_a_system_takes_a_root_that_is_connected_with_the_guess_and_claims_no_more(self):
        # The same root as of sin(x) = 0 alone. That nothing is closer has not been looked at.
        text = "model M Real x(start = 1.7), y(start = 1.7); equation sin(x + 0.1*(y - x)^2) = 0; y + 0.1*sin(y - x) = x; end M;"
        self.expect(self.values(text), x=math.pi, y=math.pi)
        moved = self.point(text, "--guesses", "closest")["moved"]
        self.assertEqual({entry["because"] for entry in moved}, {"a solution; others may be closer to the guesses"})

    def test_who_is_at_a_solution_stays_whatever_the_slope_is(self):
        # The derivative of sqrt at 0 is infinite; the guesses are exact.
        point = self.point("model M Real x(start = 0), y(start = 1); equation sqrt(x) = 0; y = 1 + x; end M;")
        self.assertEqual((point["values"], point["moved"]), ({"x": [0], "y": [1]}, []))

    def test_a_value_without_a_derivative_is_not_called_undefined(self):
        # At rest in the kink of a distance: nothing says on which side the solution goes on.
        text = "model M Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation der(x) = sqrt(x^2 + y^2); der(y) = 0; end M;"
        result = run("simulate", file_with(text), "--stop", "1", "--solver", "taylor")
        self.assertEqual(result.returncode, 3)
        self.assertIn("the derivative of `sqrt(x^2 + y^2)` does not exist: sqrt of 0, in equation", result.stderr)

    def test_a_root_that_stays_at_zero_is_said(self):
        # x = 0 for all time is a solution of der(x) = sqrt(x), as x = t^2/4 is.
        text = "model M Real x(start = 0, fixed = true); equation der(x) = sqrt(x); end M;"
        for solver in ("auto", "taylor"):
            result = run("simulate", file_with(text), "--stop", "1", "--solver", solver)
            self.assertEqual(result.returncode, 0)
            self.assertIn("`sqrt(x)` stays at zero from t = 0 on", result.stderr)

    def test_a_point_that_does_not_say_how_to_go_on_is_named(self):
        # x'(x/2) + 2 y y' = 0 gives no y' where y = 0; at y = 0.8 it does.
        text = "model Ellipse Real x(start = {}), y(start = {}); equation x^2/4 + y^2 = 1; der(x) = y; end Ellipse;"
        for x, y, is_singular in ((2, 0, True), (1.2, 0.8, False)):
            result = run("init", file_with(text.format(x, y)))
            self.assertEqual(result.returncode, 0)
            self.assertEqual("a run cannot start here" in result.stderr, is_singular, result.stderr)
            started = run("simulate", file_with(text.format(x, y)), "--stop", "0.1").returncode
            self.assertEqual(started, 3 if is_singular else 0)

    def test_a_mode_without_a_right_limit_is_named(self):
        # x = 1.5 at the event; behind it x^2 + 1 = 0 has no solution.
        text = """model Gone Real x(start = 1, fixed = true), y;
          equation 0 = if time < 0.5 then der(x) - 1 else x^2 + 1; y = der(x); end Gone;"""
        for solver in SOLVERS:
            result = run("simulate", file_with(text), "--solver", solver)
            self.assertEqual(result.returncode, 3)
            self.assertIn("event at t = 0.5: no right limits of the new mode were found from the left limits [restart-failed]",
                          result.stderr)

    def test_rates_of_any_size_are_solved_for(self):
        # The same equations with time in seconds and in units of 1e-9 s and 1e9 s. At the start der(x) is a
        # difference of terms of 2e9 that cancel; a is the root of a + a^3 + 0.5 sin(x - 1) = 2: a = 1, der(x) = 0.
        for unit in (1, 1e9, 1e-9):
            text = f"""model M Real a(start = 0); Real x(start = 1, fixed = true), y(start = 1, fixed = true);
                equation a + a^3 + 0.5*sin(x - y) = 2; der(x) = {2.1643691213973 * unit}*(a - x);
                der(y) = {1.957503701 * unit}*(x^2 - y); end M;"""
            self.expect(self.rows(text, "--stop", str(1 / unit), "--solver", "ida")[-1], a=1, x=1, y=1)

    def test_a_search_without_a_solution_ends(self):
        text = """model Hang Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), F;
            equation vx = der(x); vy = der(y); der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = 1e300; end Hang;"""
        run("init", file_with(text))  # whatever it says
        run("init", file_with("""model T Real x(start = 0.5, fixed = true); equation sign(x) = -sqrt(max(1e12, x)); end T;"""))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
