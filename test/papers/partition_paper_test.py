#!/usr/bin/env python3
"""Raha and Petzold: constraint partitioning, every example typed as it is printed."""
import os
import tempfile

from rows import PaperTest, main, run

CRANE = ("--inputs", "u1,u2", "--candidates", "f9,f10", "--tolerance0", "0")
# the constants that 1.61502 and 1.09717 imply, to the digits of docs/math/partition.md
PRINTED = ("--set", "J=109.65", "--set", "C2=722.59")


class Partition(PaperTest):
    ROWS = 31
    ELSEWHERE = {
        2: "cannot be followed: objective, shooting and optimiser are not there, only the partitioning they need",
        19: "theorems against brute force: src/partition/random_systems_test.cc, exhaustive_test.cc",
        30: "cannot be followed: the optimisation of the crane needs the optimiser of row 2",
    }

    def pairs(self, data, kind="index1"):
        return list(zip(data[kind]["equations"], data[kind]["variables"]))

    def write(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        name = os.path.join(folder.name, "M.mo")
        with open(name, "w") as handle:
            handle.write(text)
        return name

    def test_row_1_index_and_blame(self):
        data = self.data("partition", "Cr", *CRANE)
        self.assertEqual((data["index"], data["local_index"]), ("higher", 3))
        self.assertEqual(data["index2"]["equations"], ["der(f10)"])

    LIMITED = """model M
  Real x(start = 0), v(start = 0.5);
  input Real u;
equation
  der(x) = v;
  der(v) = u;
  annotation(__hydae(optimization(constraint = {v <= 0.5, x >= -1, x(finalTime) == 1})));
end M;
"""

    def test_row_3_inequalities_are_candidates_where_they_are_active(self):
        # v = 0.5 is at its limit: index 2 with the control; x = 0 is 1 above its own
        model = self.write(self.LIMITED)
        data = self.data("partition", model, "--max-differentiations", "0")
        self.assertEqual(self.pairs(data, "index2"), [("h1", "u")])
        text = self.text("partition", model)
        self.assertIn("as an equality while it is active", text)
        self.assertIn("not active: 1 below its limit", text)
        wrong = self.write(self.LIMITED.replace("v <= 0.5", "der(v) <= 0.5"))
        self.assertIn("[path-constraint]", self.text("partition", wrong, status=1))
        data = self.data("partition", model, "--candidates", "h2", "--max-differentiations", "0")
        self.assertEqual(data["rejected"]["equations"], ["h1", "h2"])  # x >= -1 alone has index 3

    def test_row_4_what_is_refused_stays_outside(self):
        data = self.data("partition", "Cr", *CRANE)
        self.assertEqual(data["rejected"], {"equations": ["f11", "f12"], "variables": ["u1", "u2"]})

    def test_row_5_lemmas_1_and_2(self):
        attempts = self.data("partition", "PC", "--policy", "3")["decisions"]
        self.assertEqual([d["attempts"][-1]["pivot"] for d in attempts], [5, 1])

    def test_row_6_lemmas_3_and_4(self):
        # C_2 revised by v: (1, 3) - 0.3 (0.5 x2, 0.5 x1) = (0.7, 2.85), T = (1, 2)
        decision = self.data("partition", "P2", "--no-stability")["decisions"][1]
        self.assertAlmostEqual(decision["attempts"][-1]["pivot"], 6.4, delta=1e-12)

    def test_row_7_section_3(self):
        # x' = 1000 x + u, b x + u = 0: 1000 - b
        self.assertEqual(self.data("partition", "P3")["log_norm"]["final"], 500)
        data = self.data("partition", "P3b")
        self.assertEqual(self.pairs(data), [("f2", "u")])
        self.assertEqual((data["log_norm"]["ode"], data["log_norm"]["final"]), (1000, 999))
        self.assertEqual(self.data("partition", "P3b", "--inputs", "u")["index1"]["equations"], [])

    def test_row_8_index_1_estimate(self):
        self.assertAlmostEqual(self.data("partition", "Cr", *CRANE)["log_norm"]["steps"][0], 0.82794, delta=1e-5)

    def test_row_9_index_2_estimate(self):
        steps = self.data("partition", "Cr", *CRANE, "--sums", "paper")["log_norm"]["steps"]
        self.assertAlmostEqual(steps[1], 1.61502, delta=1e-4)  # 0.82794 + 0.78707
        self.assertIn("0.827938 -> 1.61", self.text("partition", "Cr", *CRANE, "--sums", "paper"))

    def test_row_10_limit(self):
        self.assertEqual(self.data("partition", "Cr", *CRANE)["log_norm"]["limit"], 2.5)

    def test_row_11_constraints_and_variables_that_must_be_included(self):
        # too small a tolerance refuses f9; theta brings it in
        tight = (*CRANE, "--tolerance", "0.001", "--estimates-only")
        self.assertNotIn("theta", self.data("partition", "Cr", *tight)["index1"]["variables"])
        data = self.data("partition", "Cr", *tight, "--must-include", "theta")
        self.assertEqual(self.pairs(data), [("f9", "theta")])
        data = self.data("partition", "Cr", *tight, "--must-include", "f9")
        self.assertEqual(self.pairs(data), [("f9", "theta")])
        result = run("partition", "Cr", *CRANE, "--must-include", "u1")
        self.assertEqual(result.returncode, 2)
        # nothing determines y
        model = self.write("model M Real x, y; equation der(x) = y; x + y = time; end M;")
        self.assertIn("variable-left-out", self.text("partition", model, "--candidates", "f1", "--must-include", "y"))

    def test_row_12_linearisation(self):
        self.assertAlmostEqual(self.data("partition", "Cr", *CRANE)["log_norm"]["ode"], 0.5, delta=1e-12)

    def test_row_13_shapes_of_the_mass_matrix(self):
        for name, transformed in (("PA", True), ("PB", False), ("PT", True), ("P4", True)):
            self.assertEqual(self.data("partition", name, "--no-stability")["transformed"], transformed, name)

    def test_row_14_illustration_a(self):
        data = self.data("partition", "PA")
        self.assertEqual(len(data["index1"]["equations"]), 2)

    def test_row_15_illustration_b(self):
        data = self.data("partition", "PB", "--no-stability")
        self.assertIn(("f4", "x2"), self.pairs(data))
        self.assertIn(("f5", "x3"), self.pairs(data))

    def test_row_16_illustration_c_as_printed(self):
        data = self.data("partition", "PC", "--policy", "3")
        self.assertEqual(self.pairs(data), [("f4", "x5"), ("f5", "x4")])
        refused = self.data("partition", "PC", "--policy", "3", "--tolerance0", "0", "--tolerance", "0.1",
                            "--estimates-only")["decisions"][0]
        self.assertEqual([a["pivot"] for a in refused["attempts"]], [5, 3])
        self.assertEqual(refused["outcome"], "unstable")
        self.assertTrue(data["equations"][4]["source"].endswith("PC.mo:1:128"))

    def test_row_17_policies(self):
        for policy in "123":
            data = self.data("partition", "P6", "--policy", policy, "--no-stability")
            self.assertEqual(len(data["index1"]["equations"]), 2, policy)

    def test_row_18_check_back(self):
        checks = self.data("partition", "Cr", *CRANE)["log_norm"]["checks"]
        self.assertAlmostEqual(checks[0], 0.560085, delta=1e-6)

    def test_row_20_index_3_is_differentiated(self):
        self.assertIn("der(f10) with tau", self.text("partition", "Cr", *CRANE))

    def test_row_21_another_time(self):
        data = self.data("partition", "P51", "--time", "0", "--time", "0.01", "--no-stability")
        self.assertEqual([p["index"] for p in data["points"]], ["undecided", 1])

    def test_row_22_singular_pencil_stops(self):
        self.assertIn("f1, f2", self.text("partition", "P52", status=1))

    def test_row_23_example_5_1(self):
        self.assertEqual(self.data("partition", "P51", "--no-stability")["index"], "undecided")
        data = self.data("partition", "P51", "--time", "0.01", "--no-stability")
        self.assertEqual(self.pairs(data), [("f2", "x")])
        self.assertEqual(data["differential"]["variables"], ["y"])

    def test_row_24_example_5_2(self):
        self.assertEqual(self.data("partition", "P52", status=1)["index"], "singular")

    def test_row_25_example_5_3_as_printed(self):
        first = self.data("partition", "P53", "--no-stability")
        self.assertEqual(sorted(self.pairs(first)), [("f3", "x1"), ("f4", "x5"), ("f5", "x4")])
        both = self.data("partition", "P53", "--time", "0", "--time", "0.001", "--no-stability")
        self.assertEqual(sorted(both["index1"]["equations"]), ["f2", "f3", "f4", "f5"])
        self.assertEqual(sorted(both["index1"]["variables"]), ["x1", "x2", "x4", "x5"])
        only = self.data("partition", "P53", "--no-stability", "--candidates", "f5")
        self.assertEqual(self.pairs(only), [("f5", "x4")])

    def test_row_26_example_5_4(self):
        data = self.data("partition", "P54")
        self.assertEqual(data["index"], 1)
        self.assertAlmostEqual(data["log_norm"]["final"] / -5e10, 1, delta=1e-12)

    def test_row_27_example_5_5(self):
        data = self.data("partition", "problem:biphasic")
        self.assertEqual(sorted(data["index1"]["equations"], key=lambda f: int(f[1:])),
                         [f"f{k}" for k in range(1, 56, 6)])
        self.assertEqual(set(data["index1"]["variables"]), {"u[1]"} | {f"sigma[{k}]" for k in range(2, 19, 2)})
        self.assertEqual(len(data["differential"]["equations"]), 53)
        self.assertEqual(len(self.data("partition", "Bi")["index1"]["equations"]), 10)

    def test_row_28_crane_index_1(self):
        norms = self.data("partition", "Cr", *CRANE)["log_norm"]
        self.assertAlmostEqual(norms["ode"], 0.5, delta=1e-12)
        self.assertAlmostEqual(norms["steps"][0], 0.82794, delta=1e-5)

    def test_row_29_crane_index_2(self):
        data = self.data("partition", "Cr", *CRANE, *PRINTED, "--sums", "paper")
        self.assertAlmostEqual(data["log_norm"]["steps"][1], 1.61502, delta=1e-4)
        self.assertAlmostEqual(data["log_norm"]["final"], 1.09717, delta=1e-4)
        attempt = data["decisions"][1]["attempts"][-1]
        # |k| = 0.9999 belongs to one of several eigenvectors of the same eigenvalue
        self.assertLess(attempt["k_least"], 0.9999)
        self.assertGreater(attempt["k"], 0.9999)
        self.assertIn("1.0971", self.text("partition", "Cr", *CRANE, *PRINTED))

    def test_row_31_the_subsystem_goes_to_a_code(self):
        model = self.write("")
        self.text("partition", "Cr", *CRANE, "--output", os.devnull, "--subsystem", model)
        self.text("simulate", model, "--set", "u1=10", "--stop", "8")


if __name__ == "__main__":
    main()
