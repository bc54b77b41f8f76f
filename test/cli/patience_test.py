#!/usr/bin/env python3
"""What takes longer than ten seconds says what it is doing, also where nobody sits at a terminal: python3 patience_test.py TOOL"""
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv[1]
PRODUCT = "sum(ones(1000, 1000)*ones(1000, 1000))"


class Patience(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def said(self, text, *arguments):
        file = os.path.join(self.folder.name, "M.mo")
        with open(file, "w") as handle:
            handle.write(text)
        result = subprocess.run([TOOL, *arguments[:1], file, *arguments[1:], "--time-limit", "25"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 3, result.stderr)
        return result.stderr

    def test_the_front_end(self):
        model = "model M parameter Real s = %s; Real x = s; end M;" % " + ".join([PRODUCT] * 400)
        said = self.said(model, "check")
        self.assertRegex(said, r"after 10(\.\d+)? s the run is flattening the model\n")
        self.assertEqual(said.count("the run is"), 1)  # again behind twenty more
        self.assertEqual(self.said(model, "check", "--verbose").count("the run is"), 2)
        self.assertNotIn("the run is", self.said(model, "simulate", "--quiet"))

    def test_one_evaluation(self):
        # A million turns of a loop for each value of x, at t = 0.
        model = ("function f input Real u; output Real y; protected Integer k; algorithm y := u; k := 0; "
                 "while k < 900000 + u loop y := y + sin(y); k := k + 1; end while; end f; "
                 "model M Real x(start = 0, fixed = true); equation der(x) = %s; end M;") % " + ".join(f"f({k} + x)" for k in range(400))
        self.assertRegex(self.said(model, "simulate"), r"after 10(\.\d+)? s the run is (looking for a consistent initial point|integrating) at t = 0\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
