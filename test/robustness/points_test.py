#!/usr/bin/env python3
"""Small initial-value problems (points/*.points): every command that looks for a start finds the same
one, and it has the values that are derived in the file."""
import csv
import glob
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = tempfile.TemporaryDirectory()
SOLVERS = ("auto", "taylor", "ida")
# Of a value: equations are solved to 1e-9 of their terms, and BDF begins with these numbers.
TOLERANCE = 1e-7
SMALLEST = 1e-9  # values below are zero, unless 1e-9 of them is wanted


def root(f, near):
    """Newton's method with difference quotients, to rounding."""
    for _ in range(200):
        h = 1e-7 * max(1, abs(near))
        step = f(near) * 2 * h / (f(near + h) - f(near - h))
        near -= step
        if abs(step) < 1e-15 * max(1, abs(near)):
            break
    return near


def problems():
    for path in sorted(glob.glob(os.path.join(HERE, "points", "*.points"))):
        with open(path) as handle:
            text = re.sub(r"^#.*\n", "", handle.read(), flags=re.M)
        for block in re.split(r"\n\s*\n", text.strip()):
            name, *lines = block.split("\n")
            options = [w for l in lines if l.startswith("  options: ") for w in l.split()[1:]]
            lines = [l.strip() for l in lines if not l.startswith("  options: ")]
            yield name, " ".join(lines[:-1]), options, lines[-1]


def values_of(text):
    names = {**vars(math), "root": root}
    parts = re.split(r",\s*(?=[A-Za-z_][\w.]*(?:\[\d+\])? = )", text)
    return {p.split(" = ")[0]: float(eval(p.split(" = ")[1], names)) for p in parts}  # our own files


def run(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, timeout=60)


class Points(unittest.TestCase):
    def close(self, found, wanted, what):
        for name, value in wanted.items():
            if name not in found:
                continue
            size = max(abs(value), SMALLEST if value else 1)
            self.assertLessEqual(abs(found[name] - value), TOLERANCE * size, f"{what}: {name} is {found[name]}, not {value}")

    def refused(self, name, path, options):
        for words in (["init", path], *(["simulate", path, "--solver", s] for s in SOLVERS)):
            self.assertIn(run(*words, *options).returncode, (1, 3), f"{name}: {words[0]} finds a point")

    def start_of(self, path, solver, options):
        begin = float(options[options.index("--time") + 1]) if "--time" in options else 0
        words = [] if "--time" in options else list(options)
        result = run("simulate", path, "--solver", solver, "--output", "-", "--points", "2", "--start", str(begin),
                     "--stop", str(begin + 1e-6), *words)
        self.assertEqual(result.returncode, 0, path + result.stderr)
        return {k: float(v) for k, v in next(csv.DictReader(io.StringIO(result.stdout))).items()}

    def look_at(self, name, text, options, wanted):
        path = os.path.join(FOLDER.name, name + ".mo")
        with open(path, "w") as handle:
            handle.write(f"model {name} {text} end {name};")
        if wanted == "none":
            return self.refused(name, path, options)
        wanted = values_of(wanted)
        result = run("init", path, "--format", "json", *options)
        self.assertEqual(result.returncode, 0, name + ": " + result.stderr)
        point = {k: v[0] for k, v in json.loads(result.stdout)["values"].items()}
        self.close(point, wanted, f"{name} by init")
        self.assertLessEqual(set(wanted), set(point), name)
        for solver in SOLVERS:
            row = self.start_of(path, solver, options)
            self.close(row, wanted, f"{name} by {solver}")
            self.close(row, {k: v for k, v in point.items() if abs(v) > SMALLEST}, f"{name} by {solver} as by init")
        result = run("partition", path, "--point", "consistent", *options)
        self.assertEqual(result.returncode, 0, name + ": " + result.stderr)

    def test_every_command_starts_from_the_derived_values(self):
        for name, text, options, wanted in problems():
            with self.subTest(name):
                self.look_at(name, text, options, wanted)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
