#!/usr/bin/env python3
"""Exit statuses and messages where something is wrong with the model, the usage, the streams or the
names; what a model may not do to a terminal or a drawing."""
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = sys.argv[1]
DECAY = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;"


class Status(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def model(self, text):
        with open(self.path("M.mo"), "w") as handle:
            handle.write(text)
        return self.path("M.mo")

    def run_tool(self, *arguments, **options):
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=60, **options)

    def assert_refused(self, text, *arguments):
        result = self.run_tool(*arguments)
        self.assertEqual(result.returncode, 2, (arguments, result.stderr))
        self.assertIn(text, result.stderr)

    def test_names_that_cannot_be_read_are_said(self):
        os.symlink("loop.mo", self.path("loop.mo"))
        self.assert_refused("the name of the model is empty", "check", "")
        self.assert_refused("ame too long", "check", "x" * 300 + ".mo")
        self.assert_refused("cannot read", "check", self.path("loop.mo"))
        self.assert_refused("is no file", "check", self.folder.name)
        self.assert_refused("there is no file", "check", self.path("no.mo"))

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_folders_without_permission_are_said(self):
        self.model(DECAY)
        os.chmod(self.folder.name, 0)
        try:
            self.assert_refused("cannot read", "check", self.path("M.mo"))
        finally:
            os.chmod(self.folder.name, 0o700)

    def test_times_and_numbers_that_make_no_sense_are_refused(self):
        model = self.model("model M Real x(start = 1, fixed = true); parameter Real k = 1; "
                           "equation der(x) = -k*x; annotation(experiment(StopTime = 1)); end M;")
        self.assert_refused("--time is a number, not `nan`", "init", model, "--time", "nan")
        self.assert_refused("more than 1e+08", "simulate", model, "--points", "1000000000")
        self.assert_refused("makes 1e+12 rows", "simulate", model, "--interval", "1e-12")
        self.assert_refused("lies behind the stop time 1", "simulate", model, "--start", "5")
        self.assert_refused("given twice", "simulate", model, "--fixed", "x=1", "--fixed", "x=2")
        self.assert_refused("given twice", "simulate", model, "--fixed", "x=1", "--start-value", "x=2")
        self.assert_refused("given twice", "simulate", model, "--set", "k=1", "--set", "k=2")
        self.assert_refused("`nan` is no value for `x`, which is Real", "simulate", model, "--fixed", "x=nan")
        self.assert_refused("not of the form NAME=VALUE", "simulate", model, "--fixed", "x")
        self.assertEqual(self.run_tool("simulate", model, "--start", "5", "--stop", "1").returncode, 0)

    def test_names_of_variables_that_fit_nothing_are_refused_with_the_nearest(self):
        model = self.model("model M Real speed(start = 1, fixed = true), P[2,2] = [1, 2; 3, 4]*time; "
                           "equation der(speed) = -speed; end M;")
        self.assert_refused("no variable fits `sped`; near: `speed`", "simulate", model, "--vars", "sped")
        result = self.run_tool("simulate", model, "--vars", "P[1,1],der(speed),P[2,*", "--points", "2",
                               "--output", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        header = next(csv.reader(io.StringIO(result.stdout)))
        self.assertEqual(sorted(header), ["P[1,1]", "P[2,1]", "P[2,2]", "der(speed)", "time"])

    def test_results_that_are_no_numbers_are_no_success(self):
        for text in ("y = log(x - 0.5)", "y = sqrt(x - 0.5)", "y = 10^(1000*(1 - x))*10^(300*time + 100)"):
            model = self.model("model M Real x(start = 1, fixed = true), y; equation der(x) = -x; "
                               f"{text}; annotation(experiment(StopTime = 1)); end M;")
            result = self.run_tool("simulate", model, "--output", self.path("a.csv"))
            self.assertEqual(result.returncode, 3, text)
            self.assertIn("[", result.stderr)

    def test_an_error_is_no_success(self):
        model = self.model("model M Real x(start = 1, fixed = true); parameter Real k = 1; equation "
                           "der(x) = -k*x; annotation(experiment(StopTime = 0/0)); end M;")
        result = self.run_tool("simulate", model)
        self.assertEqual("error:" in result.stderr, result.returncode != 0)
        result = self.run_tool("simulate", model, "--set", "k=nan")
        self.assertEqual(result.returncode, 2)
        self.assertIn("`nan` is no value for `k`", result.stderr)

    def test_a_fault_in_the_middle_is_ours(self):
        # y = pre(x) of a continuous x is no wrong usage of the tool, whoever finds it.
        model = self.model("model M Real x(start = 1, fixed = true), y; equation der(x) = -x; y = pre(x); end M;")
        self.assertNotEqual(self.run_tool("simulate", model).returncode, 2)

    def test_parameters_of_all_kinds_can_be_set(self):
        model = self.model("model M type E = enumeration(a, b, c); parameter E e = E.a; parameter Boolean on = true; "
                           "parameter Integer n = 2; parameter Real A[2,2] = [1, 2; 3, 4]; final parameter Real p = 5; "
                           "Real x = (if on then 1 else 0) + (if e == E.c then 10 else 0) + 100*n + 1000*A[1,2] + time*p; end M;")
        result = self.run_tool("simulate", model, "--set", "on=false", "--set", "e=E.c", "--set", "n=3", "--set",
                               "A[1,2]=7", "--output", "-", "--points", "2", "--vars", "x")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(float(result.stdout.splitlines()[1].split(",")[1]), 7310)
        result = self.run_tool("simulate", model, "--set", "p=6")
        self.assertEqual(result.returncode, 2)
        self.assertIn("`p` is final and cannot be set from outside [final-parameter]", result.stderr)

    def test_only_models_can_be_run(self):
        model = self.model("package P constant Real k = 1; end P; type T = Real; record R Real x = 1; end R; "
                           "function f input Real u; output Real y; algorithm y := u; end f; "
                           "connector C = input Real; type E = enumeration(a, b); block B Real x = time; end B;")
        for name, kind in (("P", "a package"), ("T", "a type"), ("R", "a record"), ("f", "a function"),
                           ("C", "a connector"), ("E", "a type")):
            for command in ("check", "simulate", "init", "flatten", "analyze"):
                result = self.run_tool(command, model, name)
                self.assertEqual(result.returncode, 1, (command, name))
                self.assertIn(f"`{name}` is {kind}: only a model or block can be run [not-a-model]", result.stderr)
        self.assertEqual(self.run_tool("check", model, "B").returncode, 0)

    def test_orders_without_a_step_size_are_refused(self):
        model = self.model(DECAY)
        for order in ("1", "4", "61", "-3"):
            result = self.run_tool("simulate", model, "--order", order)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"order {order} is not in 5 .. 60", result.stderr)
        self.assertEqual(self.run_tool("simulate", model, "--order", "5").returncode, 0)

    # 1.5 is passed at ln(4/3) = 0.288, from there on the warning holds through the events of `i`.
    def test_a_violation_is_told_once_and_with_its_line(self):
        model = self.model("model M Real x(start = 2, fixed = true); Integer i = integer(9*time);\n"
                           "equation der(x) = -x;\n"
                           '  assert(x > 1.5, "x = " + String(x, format = "5.2f"), AssertionLevel.warning);\nend M;')
        for solver in ("auto", "taylor", "ida"):
            result = self.run_tool("simulate", model, "--solver", solver)
            self.assertEqual(result.returncode, 0)
            self.assertEqual(result.stderr.count("warning: assertion"), 1, result.stderr)
            self.assertIn("x =  1.50 (", result.stderr)
            self.assertIn(":3:3)", result.stderr)

    def test_an_integer_that_stands_still_is_refused(self):
        model = self.model("model M Integer n(start = 9007199254740989, fixed = true); equation "
                           "when sample(0.1, 0.1) then n = pre(n) + 1; end when; end M;")
        result = self.run_tool("simulate", model)
        self.assertEqual(result.returncode, 3)
        self.assertIn("t = 0.3: the Integer `n` becomes 9007199254740992", result.stderr)

    def test_a_division_by_zero_at_an_event_is_no_cycle(self):
        model = self.model("model M Integer n(start = 1, fixed = true); Integer y = mod(7, n), r = rem(7, n); equation "
                           "when sample(0.5, 1) then n = pre(n) - 1; end when; end M;")
        result = self.run_tool("simulate", model)
        self.assertEqual(result.returncode, 3)
        self.assertNotIn("round in circles", result.stderr)
        self.assertIn("`mod` divides by zero (", result.stderr)

    def test_closed_and_full_streams_change_no_status(self):
        wrong = self.model("model M Real x; end M;")
        for redirection in ("2>&-", "2>/dev/full", "1>&- 2>&-", "0<&- 1>&- 2>&-"):
            status = subprocess.run(["sh", "-c", f'"$0" check "$1" {redirection}', TOOL, wrong],
                                    timeout=60).returncode
            self.assertEqual(status, 1, redirection)
        model = self.model(DECAY)
        for redirection in (">/dev/full", "1>&-"):
            status = subprocess.run(["sh", "-c", f'"$0" simulate "$1" --output - {redirection} 2>&-', TOOL,
                                     model], timeout=60).returncode
            self.assertEqual(status, 3, redirection)
        status = subprocess.run(["sh", "-c", '"$0" --help >/dev/full 2>&1', TOOL], timeout=60).returncode
        self.assertEqual(status, 3)

    def test_a_file_does_not_take_the_place_of_a_closed_stream(self):
        model = self.model("model M Real x(start = 1, fixed = true); equation der(x) = -x; "
                           'assert(x > 0.5, "low", AssertionLevel.warning); end M;')
        status = subprocess.run(["sh", "-c", '"$0" simulate "$1" --output "$2" 2>&-', TOOL, model,
                                 self.path("a.csv")], timeout=60).returncode
        self.assertEqual(status, 0)
        with open(self.path("a.csv")) as handle:
            self.assertNotIn("warning", handle.read())

    def test_a_reader_that_goes_away_ends_the_run_without_a_word(self):
        process = subprocess.Popen([TOOL, "simulate", self.model(DECAY), "--output", "-", "--points",
                                    "200000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), -signal.SIGPIPE)

    def test_what_a_terminal_would_obey_is_written_out(self):
        model = self.model('model M Real x(start = 1, fixed = true, unit = "\x1b[31mV\x07"); equation der(x) = -x; '
                           'assert(x > 0.5, "\x1b]0;title\x07 low"); end M;')
        result = self.run_tool("simulate", model)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertIn("\\x1b[31mV\\x07", result.stdout)
        self.assertIn("\\x1b]0;title\\x07 low", result.stderr)

    def test_pictures_execute_nothing(self):
        model = self.model('model M Real x(start = 1, fixed = true, unit = "V\n!touch pwned\n#"); '
                           "Real y(unit = \"A\nsystem(\\\"touch pwned\\\")\n#\"); Real '<b>`touch pwned`'; "
                           "equation der(x) = -x; y = 2*x; '<b>`touch pwned`' = 3*x; end M;")
        for suffix in ("svg", "png", "pdf"):
            result = self.run_tool("simulate", model, "--plot", self.path("a." + suffix),
                                   cwd=self.folder.name)
            if suffix != "svg" and "must end in" in result.stderr:
                continue  # built without cairo
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreater(os.path.getsize(self.path("a." + suffix)), 1000)
        with open(self.path("a.svg")) as handle:
            picture = handle.read()
        self.assertIn("[V\\n!touch pwned\\n#]", picture)
        self.assertIn("&lt;b&gt;", picture)
        for name in ("|touch pwned;.svg", "$(touch pwned).svg", "`touch pwned`.svg", "-.svg"):
            result = self.run_tool("simulate", model, "--plot", name, cwd=self.folder.name)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(os.path.exists(self.path(name)))
        self.assertFalse(os.path.exists(self.path("pwned")))

    def test_pictures_need_no_other_program(self):
        result = self.run_tool("simulate", self.model(DECAY), "--plot", self.path("a.svg"),
                               env={"PATH": "/nonexistent"})
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_interval_of_the_model_is_honoured(self):
        model = self.model("model M Real x(start = 1, fixed = true); equation der(x) = -x; "
                           "annotation(experiment(StopTime = 1, Interval = 0.25)); end M;")
        times = lambda *more: [float(line.split(",")[0]) for line in
                               self.run_tool("simulate", model, "--output", "-", *more).stdout.splitlines()[1:]]
        self.assertEqual(times(), [0, 0.25, 0.5, 0.75, 1])
        self.assertEqual(times("--points", "3"), [0, 0.5, 1])
        self.assertEqual(times("--interval", "0.6"), [0, 0.6, 1])
        self.assertEqual(times("--times", "0.75,0.5"), [0.5, 0.75])
        self.assert_refused("outside of the simulation", "simulate", model, "--times", "2")
        self.assert_refused("", "simulate", model, "--times", "nan")

    def test_an_event_at_an_output_point_has_two_rows_and_the_start_one(self):
        model = self.model("model M Integer n(start = 0, fixed = true); equation "
                           "when sample(0, 0.1) then n = pre(n) + 1; end when; end M;")
        rows = [tuple(map(float, line.split(","))) for line in
                self.run_tool("simulate", model, "--interval", "0.1", "--stop", "0.3", "--output",
                              "-").stdout.splitlines()[1:]]
        self.assertEqual(rows, [(0, 1), (0.1, 1), (0.1, 2), (0.2, 2), (0.2, 3), (0.3, 3), (0.3, 4)])

    def test_a_start_that_is_no_number_is_no_success(self):
        model = self.model("model M parameter Real p = 0; Real x; equation x = 1/p; end M;")
        for form in "text", "json":
            result = self.run_tool("init", model, "--format", form)
            self.assertEqual(result.returncode, 3)
            self.assertIn("`x` is nan at t = 0 [undefined-values]", result.stderr)
        self.assertEqual(json.loads(result.stdout)["status"], "undefined-values")

    def test_fixed_values_that_contradict_a_silent_relation_are_no_start(self):
        # sign(1) = 1, not -1; x = 0 would be the only solution, and it is not free.
        for left in "sign(x)", "(if noEvent(x > 0) then 1 elseif noEvent(x < 0) then -1 else 0)":
            model = self.model(f"model M Real x(start = 1, fixed = true); equation {left} = -x; end M;")
            for command in ["init", model], *(["simulate", model, "--solver", solver] for solver in ("auto", "taylor", "ida")):
                result = self.run_tool(*command)
                self.assertEqual(result.returncode, 3, (command, result.stderr))

    def test_a_partition_at_a_point_that_no_run_reaches_has_failed(self):
        # x = 1/(1 - t): the run ends before t = 1.
        model = self.model("model M Real x(start = 1, fixed = true); Real y; equation der(x) = x^2; y = x; end M;")
        result = self.run_tool("partition", model, "--point", "simulated", "--time", "2")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("the simulation did not reach t = 2", result.stderr)
        self.assertEqual(self.run_tool("partition", model, "--point", "simulated").returncode, 2)

    def test_the_seconds_of_all_phases_are_told(self):
        model = self.model(DECAY)
        stats = json.loads(self.run_tool("simulate", model, "--stats", "-", "--quiet").stdout)
        self.assertEqual(sorted(stats["seconds"]), ["analyze", "compile", "flatten", "initialize", "integrate", "output", "parse"])
        self.assertTrue(all(seconds >= 0 for seconds in stats["seconds"].values()), stats["seconds"])

    def test_events_that_make_a_run_endless_are_said(self):
        # 10^30 events until t = 1: rounding of the length of the run is 2e-16, where 2*10^14 of them lie.
        model = self.model("model M Integer n; Real x; equation n = integer(1e30*time); x = n; end M;")
        for solver in "auto", "taylor", "ida":
            result = self.run_tool("simulate", model, "--solver", solver, "--quiet")
            self.assertEqual(result.returncode, 3)
            self.assertIn("does not come to its end [chattering]", result.stderr)
        # 10^9 events take hours, but they end: who stops it learns what takes so long.
        model = self.model("model M Integer n(start = 0, fixed = true); equation when sample(0, 1e-9) then n = pre(n) + 1; end when; end M;")
        result = self.run_tool("simulate", model, "--time-limit", "2", "--quiet")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr, r"\d+ events so far, one every 1e-09 of time on average \[time-limit\]")

    FUNCTION = ("function f input Real u; input Integer k; output Real y = 0; protected Real w[4] = {u, 1, 2, 3}; Integer i = k; "
                "algorithm %s end f; "
                "model M Real u(start = 1.5, fixed = true), q(start = 7.5, fixed = true); Real y = f(u, integer(q)); "
                "equation der(u) = 0; der(q) = 0; end M;")

    def test_a_function_with_loops_does_not_go_on_behind_what_is_undefined(self):
        # k = 7; none of these values reaches the result.
        for body, text in (("for j in 1:mod(k, 5) loop w[k] := u; end for; y := u;", "index `k` of `w` is outside of 1 to 4"),
                           ("for j in 1:mod(k, 5) loop i := j + 3; y := w[i]; end for; y := u;", "index `i` of `w` is outside of 1 to 4"),
                           ("for j in 1:mod(k, 5) loop assert(j < 2, \"too far\"); end for; y := u;", "too far"),
                           ("for j in 1:mod(k, 5) loop i := mod(k, j - 1); end for; y := u;", "`mod` divides by zero")):
            for solver in "auto", "ida":
                result = self.run_tool("simulate", self.model(self.FUNCTION % body), "M", "--solver", solver)
                self.assertEqual(result.returncode, 3, (body, result.stderr))
                self.assertIn(text, result.stderr)

    def test_what_does_not_count_is_not_watched(self):
        # k = 7: the right side of `and` and the branches that are not taken have no element.
        for body, y in (("if k <= 4 and w[k] > 0 then y := 1; else y := 2; end if;", 2),
                        ("if k > 4 or w[k] > 0 then y := 1; else y := 2; end if;", 1),
                        ("while i <= 4 and w[i] > 0 loop i := i + 1; end while; y := i;", 7),
                        ("for j in 1:mod(k, 5) loop if j > 2 then y := w[k]; else y := j; end if; end for;", 2),
                        ("for j in 1:mod(k, 5) loop assert(j < 3, \"too far\"); end for; y := u;", 1.5)):
            result = self.run_tool("simulate", self.model(self.FUNCTION % body), "M", "--output", "-", "--points", "2")
            self.assertEqual(result.returncode, 0, (body, result.stderr))
            self.assertEqual(float(list(csv.DictReader(io.StringIO(result.stdout)))[-1]["y"]), y)
        # The subscript is known, whether it counts is not: u is a parameter that can be set.
        model = self.model("function f input Real u; input Integer k; output Real y; protected Real w[4] = {u, 1, 2, 3}; algorithm "
                           "if u > 2 then y := w[k + 4]; else y := u; end if; end f; "
                           "model M parameter Real u = 1; parameter Integer k = 3; Real y = f(u, k); end M;")
        self.assertEqual(self.run_tool("simulate", model, "M").returncode, 0)
        result = self.run_tool("simulate", model, "M", "--set", "u=3")
        self.assertIn(result.returncode, (1, 3))
        self.assertIn("index 7 of `w` is outside of 1 to 4", result.stderr)

    def test_a_model_without_units_is_not_complained_about(self):
        model = self.model("model M Real a(start = 0, fixed = true), w(start = 0, fixed = true); "
                           "equation der(a) = w; der(w) = -5*(a - 2) - 9.81*cos(a); end M;")
        self.assertEqual(self.run_tool("simulate", model, "--quiet").stderr, "")
        # A unit that somebody wrote, and a function that needs a number.
        for equations in "x = u; y = cos(x);", "y = cos(x); x = u;":
            model = self.model(f'model M Real u(unit = "V") = time; Real x, y; equation {equations} end M;')
            self.assertIn("[unit-mismatch]", self.run_tool("check", model).stderr)

    def test_what_is_no_number_is_refused_by_name(self):
        model = self.model(DECAY)
        for option in ("--time-limit", "--memory-limit", "--start", "--stop", "--tolerance", "--atol", "--max-step",
                       "--interval", "--at"):
            for value in ("nan", "-nan"):
                self.assert_refused(f"{option} is a number, not `{value}`", "simulate", model, option, value)
        self.assert_refused("--times is a number, not `nan`", "simulate", model, "--times", "0,nan")
        self.assert_refused("--duration is a number, not `nan`", "partition", model, "--duration", "nan")

    def test_folders_that_are_not_there_are_named(self):
        model = self.model(DECAY)
        for option in ("--path", "--allow-files"):
            self.assert_refused(f"{option}: there is no folder `{self.path('no')}`", "check", model, option,
                                self.path("no"))
        self.assertEqual(self.run_tool("check", model, "--path", self.folder.name).returncode, 0)

    def test_the_syntax_of_a_wrong_file_is_said(self):
        for text, status, said in (("model M Real x = ; end M;", 1, "[syntax]"), ("garbage", 1, "[syntax]"), ("", 0, "")):
            result = self.run_tool("dump", "--stage", "syntax", self.model(text))
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(said, result.stderr)

    def test_an_integer_that_nothing_determines_is_named(self):
        for equation in ("n = time", "time = n"):
            for command in ("check", "simulate"):
                result = self.run_tool(command, self.model(f"model M Integer n; equation {equation}; end M;"))
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("`n` is an Integer, which an equation with a Real does not determine [variability]",
                              result.stderr)

    def test_rows_of_events_can_be_left_out(self):
        model = self.model("model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation "
                           "der(x) = 1; when x > 0.5 then n = pre(n) + 1; end when; end M;")
        run = ("simulate", model, "--points", "3", "--vars", "n", "--output", "-")
        self.assertEqual(self.run_tool(*run).stdout, "time,n\n0,0\n0.5,0\n0.5,1\n1,1\n")
        self.assertEqual(self.run_tool(*run, "--event-rows", "on").stdout, "time,n\n0,0\n0.5,0\n0.5,1\n1,1\n")
        self.assertEqual(self.run_tool(*run, "--event-rows", "off").stdout, "time,n\n0,0\n0.5,1\n1,1\n")

    def test_a_run_that_ends_early_has_a_row_for_the_point_reached(self):
        model = self.model('model M Real x(start = 0, fixed = true); equation der(x) = 1; '
                           'when x > 0.123456 then terminate("enough"); end when; end M;')
        result = self.run_tool("simulate", model, "--interval", "0.1", "--output", "-")
        last = result.stdout.splitlines()[-1].split(",")
        self.assertAlmostEqual(float(last[0]), 0.123456, places=9)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
