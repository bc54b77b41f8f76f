#!/usr/bin/env python3
"""Runs the tool as a user would and checks exit status, standard output and standard error."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL, ROOT = sys.argv[1], sys.argv[2]


def run(*arguments, **options):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=60, **options)


FOLDER = tempfile.TemporaryDirectory()


def write_model(text):
    file = os.path.join(FOLDER.name, "M.mo")
    with open(file, "w") as handle:
        handle.write(text)
    return file


class CommandLine(unittest.TestCase):
    def test_analyze_prints_the_index(self):
        result = run("analyze", "problem:pendulum")
        self.assertEqual(result.returncode, 0)
        self.assertIn("index 3, 2 degrees of freedom, 4 initial values to give", result.stdout)

    def test_analyze_json_has_the_fields_of_the_contract(self):
        data = json.loads(run("analyze", "problem:pendulum", "--format", "json").stdout)
        self.assertEqual(data["c"], [0, 0, 2])
        self.assertEqual(data["d"], [2, 2, 0])
        self.assertEqual(data["index"], 3)
        self.assertEqual(data["dof"], 2)
        self.assertEqual(data["jacobian"]["status"], "regular")
        self.assertEqual(data["initial_values"][0], {"variable": "x", "orders": [0, 1]})
        for field in ("model", "equations", "variables", "signature", "transversal", "well_posed",
                      "blocks", "constraints", "repairs", "pantelides", "diagnosis"):
            self.assertIn(field, data)

    def test_an_ill_posed_model_exits_with_1_and_names_the_culprit(self):
        result = run("analyze", "problem:unused_variable")
        self.assertEqual(result.returncode, 1)
        self.assertIn("[unused-variable]", result.stderr)

    def test_an_unknown_problem_exits_with_2_and_suggests_the_nearest(self):
        result = run("analyze", "problem:pendulun")
        self.assertEqual(result.returncode, 2)
        self.assertIn("`pendulum`", result.stderr)

    def test_an_unknown_option_exits_with_2(self):
        self.assertEqual(run("simulate", "problem:pendulum", "--wrong").returncode, 2)
        self.assertEqual(run("simulate").returncode, 2)
        self.assertEqual(run("simulate", "problem:pendulum", "--solver", "best").returncode, 2)

    def test_a_repeatable_option_leaves_the_input_behind_it_alone(self):
        file = write_model("model M parameter Real p = 1; Real x(start = 1); equation der(x) = p; end M;")
        for option in (["--path", FOLDER.name], ["--set", "p=2"], ["--start-value", "x=1"], ["--fixed", "x=1"],
                       ["--times", "0,1"], ["--allow-files", FOLDER.name]):
            result = run("simulate", *option, file, "--stop", "1")
            self.assertEqual(result.returncode, 0, f"{option}: {result.stderr}")

    def test_csv_has_exactly_the_times_asked_for(self):
        result = run("simulate", "problem:pendulum", "--stop", "1", "--points", "5", "--output", "-")
        rows = list(csv.reader(io.StringIO(result.stdout)))
        self.assertEqual(rows[0][:3], ["time", "x", "der(x)"])
        self.assertEqual([float(row[0]) for row in rows[1:]], [0, 0.25, 0.5, 0.75, 1])

    def test_a_second_run_is_bit_identical(self):
        arguments = ("simulate", "problem:caraxis", "--output", "-")
        self.assertEqual(run(*arguments).stdout, run(*arguments).stdout)

    def test_events_give_both_limits(self):
        result = run("simulate", "problem:parallel_capacitors", "--points", "2", "--vars", "v1",
                     "--output", "-")
        rows = [tuple(map(float, row)) for row in list(csv.reader(io.StringIO(result.stdout)))[1:]]
        self.assertIn((1.0, 3.0), rows)
        self.assertEqual([round(v, 12) for t, v in rows if t == 1.0], [3.0, 1.0])

    def test_stats_tell_impulses(self):
        with tempfile.TemporaryDirectory() as folder:
            stats = os.path.join(folder, "stats.json")
            run("simulate", "problem:parallel_capacitors", "--stats", stats, "--quiet")
            with open(stats) as handle:
                event = json.load(handle)["events"][0]
        self.assertEqual(event["t"], 1.0)
        self.assertEqual(event["impulses"][0]["variable"], "i")
        self.assertAlmostEqual(event["impulses"][0]["weight"], 2.0, places=12)

    def test_init_holds_fixed_values_and_reports_conflicts(self):
        result = run("init", "problem:pendulum", "--format", "json")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(json.loads(result.stdout)["status"], "success")
        result = run("init", "problem:contradictory_start")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[conflicting-start-values]", result.stderr)

    def test_a_failed_run_exits_with_3_and_keeps_what_was_reached(self):
        result = run("simulate", "problem:robot_arm", "--stop", "2", "--tolerance", "1e-10",
                     "--output", "-")
        self.assertEqual(result.returncode, 3)
        self.assertIn("simulation stopped at t = 1.5446", result.stderr)
        self.assertGreater(len(result.stdout.splitlines()), 100)

    def test_a_run_that_finds_no_start_says_so(self):
        result = run("simulate", "problem:contradictory_start")
        self.assertEqual(result.returncode, 3)
        self.assertIn("no consistent initial point; `hydae init` shows the best one", result.stdout)
        self.assertIn("[conflicting-start-values]", result.stderr)

    def test_a_run_that_fails_at_the_start_prints_the_initial_point(self):
        result = run("simulate", write_model("model M Real x(start=0, fixed=true); Real y(start=3, "
                                             "fixed=true); equation x*der(x) = 0; der(y) = 1; end M;"))
        self.assertEqual(result.returncode, 3)
        self.assertIn("stopped at t = 0", result.stdout)
        self.assertIn("y = 3", result.stdout)
        self.assertRegex(result.stderr,
                         r"the system Jacobian is singular in the block of `f1` \(.*M\.mo:1:\d+\)")

    def test_an_equation_without_a_start_is_shown_where_it_is_written(self):
        model = write_model("model M\n  Real x(start=1, fixed=true);\nequation\n  der(x) = sqrt(-x);\nend M;\n")
        for command in ("simulate", "init"):
            result = run(command, model)
            self.assertEqual(result.returncode, 3)
            self.assertRegex(result.stderr, r"`f1` \(.*M\.mo:4:3\) is not defined at the guesses")

    def test_an_undefined_function_is_shown_where_it_is_written(self):
        model = write_model("model M\n  Real x(start=0, fixed=true);\n  Real y;\nequation\n"
                            "  der(x) = 100;\n  der(y) = exp(x);\nend M;\n")
        result = run("simulate", model, "--solver", "taylor", "--stop", "10", "--stats", "-", "--quiet")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr, r"`exp\(x\)` is undefined: exp of 7\d\d.*\(.*M\.mo:6:3\)")
        self.assertEqual(json.loads(result.stdout)["status"], "undefined-function")

    def test_a_singularity_ahead_is_forecast(self):
        result = run("simulate", "problem:robot_arm", "--stop", "1.5", "--stats", "-", "--quiet")
        self.assertEqual(result.returncode, 0)
        self.assertIn("warning: the solution seems to have a singularity at t = 1.5446", result.stderr)
        self.assertAlmostEqual(json.loads(result.stdout)["singularity"]["t"], 1.544626, places=3)

    def test_a_curve_of_solutions_turns_around(self):
        fold = os.path.join(ROOT, "examples", "fold.mo")
        result = run("init", fold, "--continue", "p=-4:4")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("turning point  p = 2: x = ", result.stdout)
        self.assertIn("turning point  p = -2: x = ", result.stdout)
        rows = list(csv.reader(io.StringIO(run("init", fold, "--continue", "p=-4:4", "--format",
                                               "csv").stdout)))
        self.assertEqual(rows[0], ["p", "x"])
        for p, x in rows[1:]:
            self.assertAlmostEqual(float(x)**3 - 3 * float(x) + float(p), 0, places=9)
        simple = run("init", fold, "--continue", "p=-4:4", "--simple")
        self.assertEqual(simple.returncode, 3)
        self.assertIn("probably a turning point", simple.stderr)
        self.assertEqual(run("init", fold, "--continue", "p").returncode, 2)
        self.assertEqual(run("init", fold, "--continue", "q=0:1").returncode, 2)
        self.assertEqual(run("init", "problem:pendulum", "--continue", "G=1:2").returncode, 2)

    def test_a_curve_of_solutions_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "fold.svg")
            result = run("init", os.path.join(ROOT, "examples", "fold.mo"), "--continue", "p=-4:4",
                         "--plot", picture)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(picture) as handle:
                self.assertIn("<svg", handle.read())

    def test_a_file_that_cannot_be_written_is_said(self):
        result = run("simulate", "problem:pendulum", "--output", "/nonexistent/x.csv")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot write", result.stderr)

    def test_the_flat_text_of_a_problem_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("stick_slip", "coupled_clutches", "two_tanks", "bouncing_ball", "pendulum"):
                flat = os.path.join(folder, name + ".mo")
                self.assertEqual(run("flatten", "problem:" + name, "--output", flat).returncode, 0)
                self.assertEqual(run("check", flat).returncode, 0)
                rows = [run("simulate", model, "--output", "-").stdout for model in ("problem:" + name, flat)]
                self.assertEqual(rows[0].splitlines()[1:], rows[1].splitlines()[1:], name)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk_is_said(self):
        file = os.path.join(ROOT, "examples", "pendulum.mo")
        for arguments in (("flatten", file), ("check", file), ("analyze", file), ("init", file), ("problems",),
                          ("dump", "--stage", "model", file), ("partition", file), ("--help",), ("--version",),
                          ("simulate", file), ("simulate", file, "--output", "-")):
            with open("/dev/full", "w") as full:
                result = subprocess.run([TOOL, *arguments], stdout=full, stderr=subprocess.PIPE,
                                        text=True, timeout=60)
            self.assertEqual(result.returncode, 3, arguments)
            self.assertIn("No space left", result.stderr)

    def test_modelica_file_simulates(self):
        result = run("simulate", os.path.join(ROOT, "examples", "pendulum.mo"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("simulated to t = 10", result.stdout)

    def test_syntax_errors_show_the_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "bad.mo")
            with open(file, "w") as handle:
                handle.write("model M\n  Real x;\nequation\n  der(x) = -x\nend M;\n")
            result = run("check", file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("bad.mo:4", result.stderr)

    def test_dump_shows_every_station(self):
        file = os.path.join(ROOT, "examples", "pendulum.mo")
        shows = {"syntax": "annotation", "model": "end ", "structure": '"index"',
                 "program": "solve for", "reduced": "state ", "state": '"residual_norm"'}
        for stage, text in shows.items():
            result = run("dump", "--stage", stage, file)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(text, result.stdout, stage)
        result = run("dump", "--stage", "syntax", "problem:pendulum")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot read `problem:pendulum`", result.stderr)
        result = run("dump", "--stage", "nothing", file)
        self.assertEqual(result.returncode, 2)

    def test_the_reduced_pendulum_keeps_its_constraint(self):
        # x^2 + y^2 = L^2 and its first two derivatives, one state of (x, y) and its velocity.
        result = run("dump", "--stage", "reduced", "problem:pendulum")
        lines = result.stdout.splitlines()
        self.assertEqual(sum(line.startswith("state ") for line in lines), 2, result.stdout)
        self.assertEqual(sum("derivative 1" in line for line in lines), 1, result.stdout)

    def test_help_exists_for_every_command(self):
        for command in ("simulate", "analyze", "init", "check", "flatten", "partition",
                        "dump", "problems"):
            result = run(command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("--help", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
