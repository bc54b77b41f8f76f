#!/usr/bin/env python3
"""hydae partition as a user meets it: the crane of the guide, several times, errors."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL, ROOT = sys.argv[1], sys.argv[2]
CRANE = os.path.join(ROOT, "examples", "crane.mo")
CRANE_OPTIONS = ("--inputs", "u1,u2", "--candidates", "f9,f10", "--tolerance0", "0")


def run(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=60)


class Partition(unittest.TestCase):
    def write(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = os.path.join(folder.name, "model.mo")
        with open(file, "w") as handle:
            handle.write(text)
        return file

    def test_crane_as_json(self):
        result = run("partition", CRANE, *CRANE_OPTIONS, "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        data = json.loads(result.stdout)
        self.assertEqual(data["index1"], {"equations": ["f9"], "variables": ["theta"]})
        self.assertEqual(data["index2"], {"equations": ["der(f10)"], "variables": ["tau"]})
        self.assertEqual(data["rejected"]["equations"], ["f11", "f12"])
        self.assertEqual(data["rejected"]["variables"], ["u1", "u2"])
        self.assertEqual(data["index"], "higher")
        self.assertEqual(data["local_index"], 3)
        self.assertFalse(data["transformed"])
        self.assertEqual(len(data["differential"]["variables"]), 8)
        self.assertAlmostEqual(data["log_norm"]["ode"], 0.5, places=12)
        self.assertAlmostEqual(data["log_norm"]["steps"][0], 0.82794, places=5)

    def test_no_point_is_a_computation_that_failed(self):
        for text in ("Real x(start=1,fixed=true), y(start=2,fixed=true); equation der(x)=-x; x=-y;",
                     "Real x(start=1,fixed=true), y; equation der(x)=-x; y^2=-1;"):
            file = self.write(f"model M {text} end M;")
            result = run("partition", file, "--point", "consistent")
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("there is no point to partition at [initialization-failed]", result.stderr)

    def test_a_singular_system_has_no_subsystem(self):
        file = self.write("model M Real x, y; equation der(x)+der(y)=1; 2*der(x)+2*der(y)=time; end M;")
        result = run("partition", file, "--subsystem", self.write(""))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("the linearized system is singular", result.stderr)

    def test_the_equations_are_those_of_the_mode_that_was_found(self):
        # x(0) = 0.5 whatever its start value says: y = 20, and the log norm of z' = -y z is -20
        file = self.write("model Pm Real x(start=3), y, z(start=1, fixed=true); equation x = 0.5*cos(time); "
                          "y = if x > 1 then 10 else 20; der(z) = -y*z; end Pm;")
        subsystem = self.write("")
        for options in (("--point", "consistent"), ("--point", "simulated", "--time", "0.1")):
            result = run("partition", file, *options, "--subsystem", subsystem)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("0 = y - 20", result.stdout)
            with open(subsystem) as handle:
                text = handle.read()
            self.assertIn("y - 20", text)
            self.assertNotIn("y - 10", text)
        self.assertIn("0 = y - 10", run("partition", file).stdout)
        moved = run("partition", file, "--point", "consistent")
        self.assertIn("start value of `x` moved from 3 to 0.5", moved.stdout)

    def test_times_in_different_modes_are_said(self):
        file = self.write("model M Real y, z(start=1); equation y = if time > 1 then 1 else 2; der(z) = -y*z; end M;")
        result = run("partition", file, "--time", "0", "--time", "2", "--point", "consistent")
        self.assertIn("`time > 1` is false at t = 0 and true at t = 2: the equations are those of the former [other-mode]",
                      result.stderr)

    def test_a_singular_point_is_an_error_with_a_text(self):
        # 2 x = 0 at the start value that nobody gave.
        result = run("partition", self.write("model Root Real x; equation x^2 = time + 1; end Root;"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: nothing was partitioned: the linearized system is singular", result.stderr)
        self.assertIn("stopped: the pencil", result.stdout)

    def test_options_that_make_no_sense_are_refused(self):
        for options in (("--time", "nan"), ("--time", "inf"), ("--max-differentiations", "-1")):
            self.assertEqual(run("partition", CRANE, *options).returncode, 2, options)

    def test_crane_as_text_gives_reasons(self):
        result = run("partition", CRANE, *CRANE_OPTIONS)
        self.assertIn("index 1: f9 with theta", result.stdout)
        self.assertIn("log norm 0.5 -> 0.827938 (limit 2.5)", result.stdout)
        self.assertIn("index 2: der(f10) with tau", result.stdout)
        self.assertIn("differentiated once", result.stdout)
        self.assertIn("not a candidate", result.stdout)

    def test_subsystem_of_the_crane_is_a_model_that_simulates(self):
        file = self.write("")
        result = run("partition", CRANE, *CRANE_OPTIONS, "--output", os.devnull, "--subsystem", file)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = run("simulate", file, "--stop", "2", "--output", "-", "--points", "3")
        self.assertEqual(result.returncode, 0, result.stderr)
        header, *rows = result.stdout.splitlines()
        names = header.split(",")
        last = dict(zip(names, map(float, rows[-1].split(","))))
        # the cable holds the load although its constraint was replaced by its derivative
        gap = last["r"] ** 2 - (last["x"] - last["d"]) ** 2 - last["z"] ** 2
        self.assertLess(abs(gap), 1e-3)

    def final_values(self, source):
        result = run("simulate", source, "--stop", "0.01", "--tolerance", "1e-10", "--output", "-",
                     "--points", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        header, *rows = csv.reader(result.stdout.splitlines())
        return dict(zip(header, map(float, rows[-1])))

    def test_subsystem_of_a_mechanism_moves_like_the_mechanism(self):
        # Andrews' squeezing mechanism, 13 equations of index 3: six constraints are differentiated
        # once, and the states that the model fixes keep their values. Both runs are good to 1e-10
        # per step, and angles grow to 1.
        file = self.write("")
        result = run("partition", "problem:andrews", "--no-stability", "--output", os.devnull,
                     "--subsystem", file)
        self.assertEqual(result.returncode, 0, result.stderr)
        mechanism, subsystem = self.final_values("problem:andrews"), self.final_values(file)
        for name in ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"):
            self.assertAlmostEqual(mechanism[name], subsystem[name], delta=1e-7)

    def test_json_has_the_fields_of_the_contract(self):
        data = json.loads(run("partition", "problem:pendulum", "--format", "json").stdout)
        for field in ("t", "differential", "index1", "index2", "rejected", "transformed", "index",
                      "log_norm"):
            self.assertIn(field, data)
        for part in ("differential", "index1", "index2", "rejected"):
            self.assertEqual(sorted(data[part]), ["equations", "variables"])
        for field in ("ode", "steps", "final"):
            self.assertIn(field, data["log_norm"])

    def test_circuit_shows_both_answers(self):
        result = run("partition", "problem:mna_circuit")
        self.assertIn("as given: index 1", result.stdout)
        self.assertIn("structure (Sigma-method): index 2", result.stdout)
        self.assertIn("with a matrix of rank 1", result.stdout)

    def test_several_times_are_combined(self):
        file = self.write("model M\n  Real x, y;\nequation\n  der(x) + der(y) = cos(time);\n"
                          "  sin(time)*x + time*y = time;\nend M;\n")
        result = run("partition", file, "--time", "0", "--time", "0.01", "--format", "json",
                     "--no-stability")
        data = json.loads(result.stdout)
        self.assertEqual([point["index"] for point in data["points"]], ["undecided", 1])
        self.assertTrue(data["combination"]["consistent"])
        self.assertEqual(data["t"], 0.01)

    def test_singular_system_exits_with_1(self):
        file = self.write("model M\n  Real x, y;\nequation\n  der(x) + der(y) = time;\n"
                          "  x + y = 0;\nend M;\n")
        result = run("partition", file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("stopped: the pencil", result.stdout)

    def test_point_can_be_simulated_or_consistent(self):
        for point in (("--point", "consistent"), ("--point", "simulated", "--time", "1")):
            result = run("partition", "problem:pendulum", *point)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("der(f3) with lambda", result.stdout)
        self.assertEqual(run("partition", "problem:pendulum", "--point", "simulated").returncode, 2)

    def test_wrong_names_exit_with_2_and_suggest(self):
        result = run("partition", CRANE, "--inputs", "thetta")
        self.assertEqual(result.returncode, 2)
        self.assertIn("`theta`", result.stderr)
        result = run("partition", CRANE, "--candidates", "f9,f100")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there is no equation `f100`", result.stderr)
        result = run("partition", CRANE, "--start-value", "tua=3")
        self.assertEqual(result.returncode, 2)
        self.assertIn("`tau`", result.stderr)
        self.assertEqual(run("partition", CRANE, "--must-include", "f99").returncode, 2)
        self.assertEqual(run("partition", CRANE, "--policy", "4").returncode, 2)
        self.assertEqual(run("partition", CRANE, "--tolerance", "-1").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
