"""What the tests of the papers share: running the tool, and the account of rows.

Each paper has one test file, each statement of it one row: a test called row_<n>_<what>, or a sentence
in ELSEWHERE: the test that shows it, or why the paper cannot be followed."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv[1])
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models")


def source(name):
    return name if name.startswith("problem:") or os.path.isabs(name) else os.path.join(MODELS, name + ".mo")


def run(command, name, *options, timeout=120):
    words = [TOOL, command, source(name), *options]
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout)


class PaperTest(unittest.TestCase):
    maxDiff = None
    ROWS = 0
    ELSEWHERE = {}

    def text(self, command, name, *options, status=0):
        result = run(command, name, *options)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def data(self, command, name, *options, status=0):
        result = run(command, name, "--format", "json", *options)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def point(self, name, *options):
        return {n: v[0] for n, v in self.data("init", name, *options)["values"].items()}

    def rows(self, name, *options):
        result = run("simulate", name, "--output", "-", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(result.stdout.splitlines())]

    def last(self, name, *options):
        return self.rows(name, *options)[-1]

    def stats(self, name, *options):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "stats.json")
            result = run("simulate", name, "--stats", file, *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(file) as handle:
                return json.load(handle)

    def times(self, name, *options):
        return [event["t"] for event in self.stats(name, *options)["events"]]

    def expect(self, found, tolerance=1e-6, **expected):
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], value, delta=tolerance * max(1, abs(value)), msg=name)

    def expect_times(self, found, expected, tolerance=1e-6):
        self.assertEqual(len(found), len(expected), found)
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=tolerance)

    @classmethod
    def account(cls):
        shown = {int(m.group(1)) for n in dir(cls) if (m := re.match(r"test_row_(\d+)_", n))}
        return shown, set(cls.ELSEWHERE)

    def test_every_row_is_accounted_for(self):
        if type(self).ROWS == 0:
            return
        shown, elsewhere = self.account()
        self.assertEqual(sorted(shown | elsewhere), list(range(1, type(self).ROWS + 1)))
        self.assertEqual(shown & elsewhere, set())
        self.assertTrue(all(len(reason) > 20 for reason in type(self).ELSEWHERE.values()))


def main():
    unittest.main(argv=sys.argv[:1])
