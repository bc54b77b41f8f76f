"""hydae simulate --save-state and --resume as a user meets them: two processes, the same numbers.

usage: state_test.py TOOL
"""
import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop(1)

MODEL = """model Ball
  parameter Real e = 0.9;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true);
  Real y(start = 1, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  der(s) = (if s > 0.3 then -1 else 1) + 0.2*sin(time);
  der(y) = s - delay(y, 0.37);
  when h < 0 then
    reinit(v, -e*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
"""


# Where a state has lists that are not empty.
def lists_of(part, path=()):
    if isinstance(part, list) and part:
        yield path
    items = enumerate(part) if isinstance(part, list) else part.items() if isinstance(part, dict) else ()
    for key, value in items:
        yield from lists_of(value, (*path, key))


class State(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "Ball.mo").write_text(MODEL)

    def run_tool(self, *arguments):
        return subprocess.run([TOOL, "simulate", "Ball.mo", *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=100)

    def rows(self, *arguments):
        done = self.run_tool("--interval", "0.1", "--output", "-", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split(",") for line in done.stdout.splitlines()[1:]]

    def test_another_process_comes_to_the_same_numbers(self):
        for solver in ("taylor", "ida", "auto"):
            for tolerance in ("1e-4", "1e-6", "1e-9"):
                whole = self.rows("--stop", "3", "--solver", solver, "--tolerance", tolerance,
                                  "--save-state", "state.json", "--at", "1.234", "--set", "e=0.8")
                rest = self.rows("--stop", "3", "--resume", "state.json")
                behind = [row for row in whole if float(row[0]) > 1.234]
                self.assertEqual(rest[1:], behind, (solver, tolerance))
                self.assertEqual(rest[0][0], "1.234")

    def test_a_run_is_prolonged(self):
        self.rows("--stop", "1", "--save-state", "state.json")
        self.assertEqual(json.loads((self.folder / "state.json").read_text())["time"], 1)
        rest = self.rows("--stop", "1.2", "--resume", "state.json")
        self.assertEqual([row[0] for row in rest], ["1", "1.1", "1.2"])

    # Stopped from outside it can go on; where it fails there may be a half of an event.
    def test_a_run_that_ends_early_says_what_became_of_its_state(self):
        (self.folder / "Ball.mo").write_text("model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;")
        done = self.run_tool("--stop", "2", "--save-state", "state.json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("no state was saved: `state.json` stays as it was", done.stderr)
        self.assertFalse((self.folder / "state.json").exists())
        (self.folder / "Ball.mo").write_text(
            "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
            "equation der(x) = v; der(v) = -1e6*x; end M;")
        done = self.run_tool("--stop", "1e9", "--points", "2", "--save-state", "state.json", "--time-limit", "1")
        self.assertEqual(done.returncode, 3, done.stderr)
        reached = json.loads((self.folder / "state.json").read_text())["time"]
        self.assertGreater(reached, 0)
        self.assertIn("is in `state.json`", done.stderr)
        rest = self.rows("--resume", "state.json", "--stop", str(reached + 0.1))
        self.assertEqual(float(rest[0][0]), reached)

    def test_says_which_model_and_which_file(self):
        self.rows("--stop", "1", "--save-state", "state.json")
        (self.folder / "Ball.mo").write_text(MODEL.replace("Ball", "Other"))
        done = self.run_tool("--resume", "state.json")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("`state.json` is a state of model `Ball`, not of `Other`", done.stderr)
        (self.folder / "Ball.mo").write_text(MODEL.replace("-10", "-9"))
        done = self.run_tool("--resume", "state.json")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("another version of model `Ball`", done.stderr)

    def test_refuses_what_makes_no_sense(self):
        self.rows("--stop", "1", "--save-state", "state.json")
        for arguments, text in (
            (("--resume", "none.json"), "cannot read `none.json`"),
            (("--resume", "Ball.mo"), "`Ball.mo` is not a state"),
            (("--resume", "state.json", "--set", "e=1"), "--set cannot be used with --resume"),
            (("--resume", "state.json", "--start", "0.5"), "from there"),
            (("--at", "0.5"), "--save-state FILE"),
            (("--save-state", "s.json", "--at", "7"), "outside of the simulation"),
            (("--resume", "state.json", "--save-state", "s.json", "--at", "0.5", "--stop", "2"),
             "outside of the simulation"),
            (("--save-state", "no/folder/s.json"), "no/folder"),
        ):
            done = self.run_tool(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn(text, done.stderr)

    # A value that was damaged on the way is a number like any other but for the checksum.
    def test_a_damaged_state_is_refused(self):
        self.rows("--stop", "1", "--save-state", "state.json")
        text = (self.folder / "state.json").read_text()
        damaged = []
        for path in lists_of(json.loads(text)):
            for damage in (lambda x: x.pop(), lambda x: x.append(x[-1]), lambda x: x.clear()):
                state = json.loads(text)
                damage(functools.reduce(lambda part, key: part[key], path, state))
                damaged.append(json.dumps(state))
        digits = [i for i, c in enumerate(text) if c.isdigit() and i > text.index('"model"')]
        for i in digits[::max(1, len(digits) // 40)]:
            damaged.append(text[:i] + str((int(text[i]) + 1) % 10) + text[i + 1:])
        for state in damaged:
            if json.loads(state) == json.loads(text):  # one that rounding takes away: 1.7976931348623158e308
                continue
            (self.folder / "damaged.json").write_text(state)
            done = self.run_tool("--stop", "1.3", "--resume", "damaged.json")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("damaged", done.stderr)
        state = json.loads(text)
        del state["checksum"]
        (self.folder / "damaged.json").write_text(json.dumps(state))
        done = self.run_tool("--stop", "1.3", "--resume", "damaged.json")
        self.assertIn("`damaged.json` is damaged: its content does not fit its checksum", done.stderr)
        # Another layout of the same content is the same state.
        (self.folder / "laid_out.json").write_text(text.replace("\n", " "))
        self.assertEqual(self.run_tool("--stop", "1.3", "--resume", "laid_out.json").returncode, 0)


if __name__ == "__main__":
    unittest.main()
