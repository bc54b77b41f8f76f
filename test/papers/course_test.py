#!/usr/bin/env python3
"""Broman, algorithms of equation-based languages: each sheet with intermediate states is a case."""
import math

from rows import PaperTest, main


class Course(PaperTest):
    ROWS = 13
    ELSEWHERE = {
        11: "Modelica is the language of all these tests, and of docs/guide/modelica.md",
        12: "Modelyze is a title in the course; other languages can use the C++ interface, hydae/model.h",
        13: "cannot be followed: co-simulation and FMI are titles in the course, and not there",
    }

    def test_row_1_index_1(self):
        for y in (-3, 3):
            row = self.rows("D1", "--stop", "0.1", "--start-value", f"y={y}")[0]
            self.expect(row, y=y)

    def test_row_2_algebraic_loop(self):
        self.assertIn("[f2, f3] for [y, z]", self.text("analyze", "D2"))

    def test_row_3_matching_example(self):
        data = self.data("analyze", "M1")
        self.assertEqual([data["variables"][j] for j in data["transversal"]], ["y", "x1", "x2"])

    def test_row_4_steps_of_matching(self):
        lines = self.text("analyze", "M1", "--trace", "matching").splitlines()
        # f1(y), f2(x1', x2', y), f3(x2'): y is taken first, x1' is free for f2, x2' for f3
        self.assertEqual([line for line in lines if line.startswith(("F =", "V =", "E ="))], [
            "F = {f1, f2, f3}",
            "V = {y, der(x1), der(x2)}",
            "E = {(f1, y), (f2, der(x1)), (f2, der(x2)), (f2, y), (f3, der(x2))}"])
        self.assertEqual([line.strip() for line in lines if "assign" in line], [
            "assign = {y -> f1}",
            "assign = {y -> f1, der(x1) -> f2}",
            "assign = {y -> f1, der(x1) -> f2, der(x2) -> f3}"])

    def test_row_5_sorting(self):
        lines = self.text("analyze", "BLT", "--trace", "blt").splitlines()
        # the assignment on the sheet, "steps omitted" there
        assigned = [line.strip() for line in lines if line.strip().startswith("assign")][-1]
        self.assertEqual(set(assigned.removeprefix("assign = {").removesuffix("}").split(", ")), {
            "der(x1) -> f2", "der(x2) -> f3", "der(x3) -> f6", "der(x4) -> f1", "y1 -> f4", "y2 -> f5"})
        blocks = [line.strip() for line in lines[lines.index("blocks, in the order of solution:") + 1:]]
        self.assertEqual([sorted(block.strip("{}").split(", ")) for block in blocks],
                         [["f2", "f3", "f4", "f5"], ["f1"], ["f6"]])
        self.assertTrue(any(line.startswith("STRONGCONNECT(f1): number 1") for line in lines))

    def test_row_6_singular(self):
        self.assertNotEqual("", self.text("check", "S2", status=1))
        self.assertIn("singular", self.text("analyze", "S5", "--trace", "matching"))

    def test_row_7_pantelides_on_the_pendulum(self):
        self.assertEqual(self.data("analyze", "BP")["pantelides"]["differentiations"], [1, 1, 0, 0, 2])
        text = self.text("analyze", "BP", "--trace", "pantelides")
        # the states on the sheets, f6 = der(f5), f7 = der(f6), f8 = der(f1), f9 = der(f2)
        for state in ("MATCH-EQUATION(f5): C = {f5}, no match",
                      "eqmap = {f5 -> f6}",
                      "MATCH-EQUATION(f6): C = {f6, der(x), f1, der(y), f2}, no match",
                      "vmap = {x -> der(x), y -> der(y), u -> der(u), v -> der(v), der(x) -> der(x,2), der(y) -> der(y,2)}",
                      "MATCH-EQUATION(f7): C = {f7, der(x,2), f8, der(u), f3}, matched"):
            self.assertIn(state, text)
        last = text.splitlines()[-1]
        self.assertEqual(set(last.strip().removeprefix("assign = {").removesuffix("}").split(", ")), {
            "der(x) -> f1", "der(y) -> f2", "der(u) -> f8", "der(v) -> f4", "lam -> f3", "der(x,2) -> f7",
            "der(y,2) -> f9"})
        maps = [line.strip() for line in text.splitlines() if line.strip().startswith("eqmap")][-1]
        self.assertEqual(set(maps.removeprefix("eqmap = {").removesuffix("}").split(", ")),
                         {"f5 -> f6", "f6 -> f7", "f1 -> f8", "f2 -> f9"})

    def test_row_8_no_drift(self):
        for solver in ("taylor", "ida"):
            row = self.last("BP", "--stop", "100", "--solver", solver)
            self.assertAlmostEqual(math.hypot(row["x"], row["y"]), 1, delta=1e-7)

    def test_row_9_dummy_derivatives(self):
        text = self.text("dump", "BP", "--stage", "reduced")
        self.assertIn("f5, derivative 2", text)
        trace = self.text("analyze", "BP", "--trace", "dummy")
        # at (1, 0) the circle determines x: x, u and their derivatives are the dummies
        self.assertIn("der(f5,2)", trace)
        states = next(line for line in trace.splitlines() if line.startswith("states:"))
        self.assertEqual(set(states.removeprefix("states: ").split(", ")), {"y", "v"})

    def test_row_10_states_change(self):
        self.assertGreater(self.stats("BP", "--stop", "10", "--solver", "ida")["state_selections"], 1)


if __name__ == "__main__":
    main()
