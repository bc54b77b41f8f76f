"""Rows go to their file as they are found: a million of them need no more memory than a hundred.

usage: streaming_test.py TOOL
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv.pop(1))

MODEL = """model Swing
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), energy;
equation
  der(x) = v;
  der(v) = -x;
  energy = (x^2 + v^2)/2;
end Swing;
"""


class Streaming(unittest.TestCase):
    # Peak of the resident memory, in kilobytes, and the number of lines written.
    def peak(self, folder, points):
        run = subprocess.Popen([TOOL, "simulate", "Swing.mo", "--stop", "10", "--points", str(points), "--vars", "x",
                                "--output", "rows.csv", "--quiet"], cwd=folder)
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        with open(folder / "rows.csv", "rb") as rows:
            return usage.ru_maxrss, sum(1 for _ in rows)

    def test_a_million_rows_need_the_memory_of_a_hundred(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "Swing.mo").write_text(MODEL)
            few, lines = self.peak(folder, 101)
            self.assertEqual(lines, 102)
            many, lines = self.peak(folder, 1000001)
            self.assertEqual(lines, 1000002)
            # A table of them would be 16 MB; buffers and the allocator differ by less than one.
            self.assertLess(many - few, 2000, f"{few} kB and {many} kB")


if __name__ == "__main__":
    unittest.main()
