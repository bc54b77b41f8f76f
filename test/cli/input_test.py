"""hydae simulate --input as a user meets it: tables of signals, what is refused, saved states.

usage: input_test.py TOOL
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop(1)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
from inputs import mat, matrix  # noqa: E402

MODEL = """block Plant
  input Real u(start = 1);
  input Boolean on;
  output Real y;
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = u - x;
  y = if on then 2*x else x;
  when on then
    n = pre(n) + 1;
  end when;
end Plant;
"""

PIECES = """block Lib
  block Gain
    input Real u;
    output Real y = 3*u;
  end Gain;
end Lib;

model Chain
  input Real level;
  output Real y;
  Lib.Gain first, second;
equation
  first.u = -level;
  second.u = first.y;
  y = second.y;
end Chain;
"""


class Input(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("Plant.mo", MODEL)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def write_bytes(self, name, content):
        (self.folder / name).write_bytes(content)

    def run_tool(self, *arguments, command="simulate", model="Plant.mo"):
        return subprocess.run([TOOL, command, *model.split(), *arguments], cwd=self.folder,
                              text=True, capture_output=True, timeout=100)

    def rows(self, *arguments, model="Plant.mo"):
        done = self.run_tool("--quiet", "--output", "-", *arguments, model=model)
        self.assertEqual(done.returncode, 0, done.stderr)
        header, *lines = [line.split(",") for line in done.stdout.splitlines()]
        return [dict(zip(header, map(float, line))) for line in lines]

    # x' = u - x with u = t up to 1, then 1: x = t - 1 + e^-t, then 1 - e^-1 ... as derived in
    # src/sim/input_test.cc. `on` between 0.5 and 2.
    def test_columns_drive_inputs_of_their_names(self):
        self.write("u.csv", "time,u,on\n0,0,0\n0.5,0.5,1\n1,1,1\n2,1,0\n")
        for solver in ("auto", "taylor", "ida"):
            for tolerance in ("1e-4", "1e-6", "1e-9"):
                rows = self.rows("--input", "u.csv", "--stop", "3", "--interval", "0.25",
                                 "--solver", solver, "--tolerance", tolerance)
                for row in rows:
                    t = row["time"]
                    x = (t - 1 + math.exp(-t) if t <= 1
                         else 1 - (1 - math.exp(-1)) * math.exp(1 - t))
                    self.assertAlmostEqual(row["x"], x, delta=20 * float(tolerance))
                    self.assertAlmostEqual(row["u"], min(t, 1), delta=1e-14)
                    self.assertEqual(row["y"], row["x"] * (2 if row["on"] else 1))
                self.assertEqual(rows[-1]["n"], 1)
                self.assertEqual([row["on"] for row in rows if row["time"] == 0.5], [0, 1])

    def test_interpolations(self):
        self.write("u.csv", "time,u\n0,0\n1,2\n2,0\n")
        common = ["--input", "u.csv", "--start-value", "on=true", "--times", "0.5",
                  "--stop", "0.5"]
        # A parabola through three points: 2 - 2 (t - 1)^2 = 1.5 at 0.5.
        for name, value in (("linear", 1), ("step", 0), ("spline", 1.5)):
            row = self.rows(*common, "--interpolation", name)[-1]
            self.assertEqual((row["u"], row["on"]), (value, 1), name)
        self.assertEqual(self.rows(*common)[-1]["u"], 1)  # linear is the default

    def test_two_files_and_results_as_signals(self):
        self.write("u.csv", "time,u\n0,0\n1,2\n")
        self.write("on.csv", "time,on\n0,false\n0.5,true\n")
        first = self.rows("--input", "u.csv", "--input", "on.csv", "--interval", "0.125")
        for name in ("rows.csv", "rows.mat"):
            done = self.run_tool("--input", "u.csv", "--input", "on.csv", "--interval", "0.125",
                                 "--output", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            again = self.rows("--input", name, "--interval", "0.125")
            self.assertEqual(len(again), len(first))
            for one, other in zip(first, again):
                self.assertAlmostEqual(one["x"], other["x"], delta=1e-6)
                self.assertEqual(one["on"], other["on"])

    # level is -first.u, which is a name of the same variable; y = 9 * -level.
    def test_an_input_that_is_an_alias_of_others(self):
        self.write("Chain.mo", PIECES)
        self.write("u.csv", "time,level\n0,1\n1,3\n")
        row = self.rows("--input", "u.csv", "--times", "0.5", model="Chain.mo Chain")[-1]
        self.assertEqual((row["level"], row["y"], row["second.u"]), (2, -18, -6))

    def test_saved_states(self):
        self.write("u.csv", "time,u,on\n0,0,0\n0.5,0.5,1\n1,1,1\n2,1,0\n")
        for solver in ("taylor", "ida"):
            common = ["--input", "u.csv", "--stop", "3", "--interval", "0.25", "--solver", solver]
            whole = self.rows(*common, "--save-state", "state.json", "--at", "0.75")
            rest = self.rows(*common, "--resume", "state.json")
            self.assertEqual(rest[-6:], whole[-6:])

    def test_without_a_table_the_start_value_holds(self):
        done = self.run_tool("--output", "-", "--times", "1")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning: inputs `u` and `on` have no signals and keep their start values",
                      done.stderr)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("1,1,0,"), done.stdout)
        row = self.rows("--times", "1", "--start-value", "u=3")[-1]
        self.assertAlmostEqual(row["x"], 3 * (1 - math.exp(-1)), delta=1e-6)

    def test_what_is_wrong_is_refused_by_name(self):
        self.write("good.csv", "time,u,on\n0,1,1\n")
        cases = {
            "time,u\n0,1\n": "no signal for input `on`: give a column",
            "time,v\n0,1\n": "`bad.csv` has no column for an input of model `Plant`: `u` and `on`",
            "time,u,on\n0,1,1\n1,nan,1\n": "`bad.csv`, line 3: `nan` in column `u` is not a finite",
            "time,u,on\n1,1,1\n0,1,1\n": "`bad.csv`, line 3: the time 0 stands behind 1",
            "time,u,on\n0,1,0.5\n": "input `on`: its value 0.5 at t = 0 is neither true nor false",
            "u,on\n0,1\n": "`bad.csv` does not begin with a line of names `time,...`",
            "time,u,on\n": "`bad.csv` has no rows",
        }
        for text, message in cases.items():
            self.write("bad.csv", text)
            done = self.run_tool("--input", "bad.csv")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)
        for arguments, message in ((["--input", "none.csv"], "cannot read `none.csv`"),
                                   (["--input", "good.csv", "--input", "good.csv"],
                                    "input `u` is given twice"),
                                   (["--input", "good.csv", "--start-value", "u=1"],
                                    "input `u` has a signal: it cannot have a start value")):
            done = self.run_tool(*arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)

    # The sizes, places and types in a MAT file are whatever somebody has written: products of sizes that do not fit into 64 bits,
    # data of one byte that are read as if they had four, places outside of the data, times that go back.
    def test_mat_files_that_lie_are_refused(self):
        good = mat(["time", "u", "on"], [[0, 1, 1], [1, 2, 1]])
        self.write_bytes("good.mat", good)
        self.assertEqual(self.run_tool("--input", "good.mat").returncode, 0)
        huge = struct.pack("<5i", 0, 2147483647, 2147483647, 0, 7) + b"data_2\0"
        wrap = struct.pack("<5i", 0, 1518500250, 1518500250, 0, 7) + b"data_2\0"
        cases = {
            "cut off": [good[:-1], good[:30], good + huge, good + wrap, good + b"x" * 19],
            "not a MAT file": [good + struct.pack("<5i", -1, 1, 1, 0, 2) + b"a\0"],
            "neither double nor float": [good + matrix("data_2", 3, 2, [1] * 6, 51)],
            "points to no data": [good + matrix("dataInfo", 4, 3, [2, place, 0, -1] * 3, 20) for place in (0, 9, -2 ** 31)],
            "stands behind": [mat(["time", "u", "on"], [[1, 1, 1], [0, 2, 1]])],
            "not a finite number": [mat(["time", "u", "on"], [[0, math.nan, 1], [1, 2, 1]]), mat(["time", "u", "on"], [[0, 1, 1], [math.inf, 2, 1]])],
            "no names": [good + struct.pack("<5i", 51, 0, 2147483647, 0, 5) + b"name\0"],
        }
        for message, files in cases.items():
            for content in files:
                self.write_bytes("bad.mat", content)
                done = self.run_tool("--input", "bad.mat")
                self.assertEqual(done.returncode, 2, (message, done.stderr))
                self.assertIn(message, done.stderr)

    def test_inputs_and_outputs_are_listed(self):
        done = self.run_tool(command="check")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertIn("inputs: u, on\noutputs: y\n", done.stdout)
        done = self.run_tool("--format", "json", command="analyze")
        report = json.loads(done.stdout)
        self.assertEqual((report["inputs"], report["outputs"]), (["u", "on"], ["y"]))
        self.assertIn("inputs: u, on", self.run_tool(command="analyze").stdout)

    def test_flat_text_keeps_them(self):
        done = self.run_tool("--output", "flat.mo", command="flatten")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write("u.csv", "time,u,on\n0,0,0\n0.5,0.5,1\n1,1,1\n2,1,0\n")
        common = ["--input", "u.csv", "--stop", "3", "--interval", "0.25"]
        self.assertEqual(self.rows(*common, model="flat.mo"), self.rows(*common))


if __name__ == "__main__":
    unittest.main()
