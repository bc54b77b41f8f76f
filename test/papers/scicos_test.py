#!/usr/bin/env python3
"""Najafi and Nikoukhah: Jacobians of models with code in Scicos."""
import math
import os
import shutil
import subprocess
import tempfile

from rows import MODELS, PaperTest, main

FOLDER = tempfile.TemporaryDirectory()


def setUpModule():
    for model in os.listdir(os.path.join(MODELS, "ext")):
        shutil.copy(os.path.join(MODELS, "ext", model), FOLDER.name)
    for file, name in (("g.c", "blk"), ("ff.c", "blkf"), ("f.c", "audit")):
        subprocess.run(["cc", "-shared", "-fPIC", "-o", os.path.join(FOLDER.name, f"lib{name}.so"),
                        os.path.join(FOLDER.name, file), "-lm"], check=True)


class Scicos(PaperTest):
    ROWS = 11
    ELSEWHERE = {
        2: "implicit blocks as code: test/analytic/mixed_test.cc",
        5: "analytic where known, differences of code only: src/compile tests of the value program",
        10: "blocks with ports: models/Lib, run by test/models",
    }
    CODE = ("--allow-external", "--tolerance", "1e-9", "--stop", "4", "--solver", "ida")

    def both(self, name):
        mix = os.path.join(FOLDER.name, "Mix.mo")
        return self.last(mix, "Q." + name, *self.CODE), self.last(mix, "Q." + name + "F", *self.CODE)

    def test_row_1_code_next_to_equations(self):
        code, formula = self.both("NoLoop")
        self.expect(code, **{n: formula[n] for n in ("a", "b", "x")})

    def test_row_1_relations_of_derivatives_next_to_code(self):
        # der(sin(3 t)) > 0 changes where cos(3 t) = 0
        times = self.times(os.path.join(FOLDER.name, "Dg.mo"), "DG.M", "--allow-external", "--stop", "3")
        self.expect_times(times, [math.pi / 6, math.pi / 2, math.pi * 5 / 6], 1e-5)

    def test_row_3_loops_through_code(self):
        code, formula = self.both("Loop")
        self.expect(code, **{n: formula[n] for n in ("a", "b", "x")})

    def test_row_4_the_four_blocks_for_any_alpha(self):
        # a' = b, b' = -a - 0.4 b + u1^2 as code; x' = -x^3 + a + 0.5 tanh(u1), u1 = sin(x);
        # at a = 1, b = 0, x = 0.2. Rows are f1: der(a) - h1, f2: der(b) - h2, f4: der(x) + x^3 - y1.
        text = self.text("dump", os.path.join(FOLDER.name, "Mix.mo"), "Q.NoLoop", "--stage", "jacobian",
                         "--alpha", "10", "--allow-external")
        for head in ("J11: code", "J12: code", "J21: formulas", "J22: formulas"):
            self.assertIn(head, text)
        values = {}
        for line in text.splitlines():
            if ": " in line and line.startswith("  "):
                name, value = line.strip().rsplit(": ", 1)
                values[name] = float(value)
        u1, slope = math.sin(0.2), math.cos(0.2)
        by_name = {key.replace(" by ", "|"): value for key, value in values.items()}
        sizes = sorted(abs(v) for v in by_name.values() if v)
        # alpha on each diagonal: a, b + 0.4, x + 3 x^2 - 0.5 (1 - tanh^2 u1) cos x
        expected = [10, 10.4, 10 + 3 * 0.2 ** 2 - 0.5 * (1 - math.tanh(u1) ** 2) * slope, 2 * u1 * slope, 1, 1, 1]
        for value in expected:
            self.assertTrue(any(abs(value - s) < 1e-6 for s in sizes), (value, text))

    def test_row_6_rectifier(self):
        for solver in ("taylor", "ida"):
            row = self.last("Rect", "--stop", "0.1", "--tolerance", "1e-9", "--solver", solver)
            # LSODA: 173.66969
            self.assertTrue(any(abs(abs(v) - 173.66969) < 2e-4 for v in row.values()), row)

    def test_row_7_differences_of_the_whole_fail(self):
        self.text("simulate", "Rect", "--stop", "0.1", "--tolerance", "1e-9", "--solver", "ida",
                  "--jacobian", "differences", status=3)

    def test_row_8_piecewise_function(self):
        self.assertEqual(self.times("Rect", "--stop", "0.02"), [])

    def test_row_9_fortran_by_reference(self):
        # blkf_ doubles what it is given a pointer to: x(1) = exp(-2); blkf by value would give exp(-100)
        row = self.last(os.path.join(FOLDER.name, "Ft.mo"), "FT.M", "--allow-external", "--stop", "1",
                        "--solver", "ida", "--tolerance", "1e-9")
        self.expect(row, x=math.exp(-2))

    def test_row_11_own_or_other_jacobian(self):
        self.text("simulate", "Rect", "--stop", "0.01", "--solver", "ida", "--jacobian", "differences")


if __name__ == "__main__":
    main()
