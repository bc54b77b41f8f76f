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
        5: "analytic where known, differences of code only: test/analytic/mixed_test.cc and row 7",
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

        # the third derivative of code is asked for
        text = self.text("simulate", os.path.join(FOLDER.name, "Dg.mo"), "DG.Deep", "--allow-external", status=1)
        self.assertIn("not-for-ida", text)

    def test_row_3_loops_through_code(self):
        code, formula = self.both("Loop")
        self.expect(code, **{n: formula[n] for n in ("a", "b", "x")})

    def test_row_4_the_four_blocks_for_any_alpha(self):
        # As code: a' = b, b' = -a - 0.4 b + u1^2, y1 = a + 0.5 tanh(u1), put into x' = -x^3 + y1 with u1 = sin(x).
        # As formulas: z' = -2 z + x^2, w' = a z - w. At a = 1, b = 0, x = 0.2, z = 0.3, w = 0; code reads a, b.
        u1, slope = math.sin(0.2), math.cos(0.2)
        for alpha in (0.0, 10.0, -3.5):
            expected = {
                "J11": {"f1 by a": alpha, "f1 by b": -1, "f2 by a": 1, "f2 by b": alpha + 0.4, "f3 by a": -1},
                "J12": {"f2 by x": -2 * u1 * slope,
                        "f3 by x": alpha + 3 * 0.2 ** 2 - 0.5 * (1 - math.tanh(u1) ** 2) * slope},
                "J21": {"f7 by a": -0.3},
                "J22": {"f6 by x": -0.4, "f6 by z": alpha + 2, "f7 by z": -1, "f7 by w": alpha + 1},
            }
            text = self.text("dump", os.path.join(FOLDER.name, "Mix.mo"), "Q.Four", "--stage", "jacobian",
                             f"--alpha={alpha}", "--allow-external")
            found, block = {}, None
            for line in text.splitlines():
                if line.startswith("J"):
                    block = found.setdefault(line[:3], {})
                elif line.startswith("  "):
                    name, value = line.strip().rsplit(": ", 1)
                    block[name] = float(value)
            self.assertEqual(set(found), set(expected))
            for name, entries in expected.items():
                for entry in set(entries) | set(found[name]):
                    self.assertAlmostEqual(found[name].get(entry, 0), entries.get(entry, 0), delta=1e-6, msg=(alpha, name, entry))

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
