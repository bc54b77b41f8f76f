#!/usr/bin/env python3
"""What a user asks for besides the model: values of parameters, start values, names of commands and classes, where results go. What
makes no sense is refused by name with status 2, what cannot be written ends with status 3; what a run says of its discrete part."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv[1]
DECAY = "model M parameter Real k = 1; parameter Real p[3] = {1, 2, 3}; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;"
DISCRETE = """model M type E = enumeration(low, middle, high); E e(start = E.low); Integer n(start = 1); Boolean b(start = false);
  Real x(start = 1, fixed = true), z[3](each start = 1, each fixed = true); equation der(x) = n; der(z) = -z;
  when x > 2 then n = pre(n) + 1; b = not pre(b); e = E.high; end when; end M;"""


class Case(unittest.TestCase):
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

    def assert_ends(self, status, text, *arguments):
        result = self.run_tool(*arguments)
        self.assertEqual(result.returncode, status, (arguments, result.stderr))
        self.assertIn(text, result.stderr)
        return result.stderr


class Requests(Case):
    def test_start_values_of_discrete_variables_are_values_of_their_type(self):
        model = self.model(DISCRETE)
        wrong = {"n=1.5": "`1.5` is no value for `n`, which is Integer", "n=true": "`true` is no value for `n`, which is Integer",
                 "b=3": "`3` is no value for `b`, which is Boolean", "b=-0.3": "`-0.3` is no value for `b`, which is Boolean",
                 "e=7": "`7` is no value for `e`, which is one of `low`, `middle` and `high`",
                 "e=hihg": "`hihg` is no value for `e`, which is one of", "x=true": "`true` is no value for `x`, which is Real",
                 "x=": "`` is no value for `x`, which is Real", "der(n)=1": "`n` changes at events only: it has no derivative"}
        for setting, text in wrong.items():
            for command in ("simulate", "init"):
                for option in ("--fixed", "--start-value"):
                    self.assert_ends(2, text, command, model, option, setting)

    def test_start_values_of_discrete_variables_are_taken(self):
        # n = 5 until x = 1 + 5 t reaches 2 at t = 0.2; at t = 0.1 all are what they were at the start.
        for e in ("middle", "E.middle"):
            result = self.run_tool("simulate", self.model(DISCRETE), "--fixed", "n=5", "--fixed", "b=true", "--fixed", f"e={e}",
                                   "--stop", "0.1", "--vars", "n,b,e,x", "--points", "2", "--output", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            header, *rows = result.stdout.splitlines()
            last = dict(zip(header.split(","), map(float, rows[-1].split(","))))
            self.assertEqual([last["n"], last["b"], last["e"]], [5, 1, 2])
            self.assertAlmostEqual(last["x"], 1.5, delta=1e-6)

    def test_names_of_start_values_that_are_none_are_explained(self):
        model = self.model(DISCRETE)
        self.assert_ends(2, "model `M` has no variable `z`; it is an array of `z[1]`, `z[2]` and `z[3]`", "simulate", model, "--fixed", "z=3")
        model = self.model(DECAY.replace("Real x", "Real speed").replace("(x)", "(speed)").replace("*x", "*speed"))
        self.assert_ends(2, "has no variable `sped`; near: `speed`", "init", model, "--fixed", "sped=3")
        self.assert_ends(2, "`k` is a parameter of model `M`: it has no start value", "init", model, "--fixed", "k=3")

    def test_values_of_parameters_that_make_no_sense_are_wrong_usage(self):
        model = self.model(DECAY)
        for command in ("simulate", "check", "init", "flatten"):
            self.assert_ends(2, "did you mean `k`?", command, model, "--set", "kk=3")
        self.assert_ends(2, "`abc` is no value for `k`, which is Real", "simulate", model, "--set", "k=abc")
        self.assert_ends(2, "`` is no value for `k`, which is Real", "simulate", model, "--set", "k=")
        self.assert_ends(2, "`x` is a variable: it has a start value (--start-value)", "simulate", model, "--set", "x=3")
        self.assert_ends(2, "it is an array of `p[1]`, `p[2]` and `p[3]`", "simulate", model, "--set", "p=1")
        # Where the model is wrong as well, it is the model that is to blame.
        self.assert_ends(1, "", "simulate", self.model(DECAY.replace("-k*x", "-q*x")), "--set", "kk=3")

    def test_a_wrong_value_is_said_once(self):
        model = self.model("model M parameter Boolean b = true; Real x; equation x = if b then 1 else 2; end M;")
        self.assertEqual(self.assert_ends(2, "`3` is no value for `b`", "simulate", model, "--set", "b=3").count("error:"), 1)

    def test_classes_that_are_not_there_are_wrong_usage(self):
        model = self.model("model Tank Real x = 1; end Tank;")
        self.assert_ends(2, "did you mean `Tank`?", "check", model, "Tonk")
        self.assert_ends(2, "class `Nowhere` is not found", "check", "Nowhere")

    def test_commands_and_options_that_are_not_there_are_named(self):
        model = self.model(DECAY)
        self.assert_ends(2, "there is no command `simulat`; near: `simulate`", "simulat", model)
        self.assert_ends(2, "there is no option `--foo`; `hydae --help` lists what there is", "--foo")

    def test_standard_output_that_is_full_is_no_wrong_usage(self):
        model = self.model(DECAY)
        for arguments in (["check", model], ["init", model], ["analyze", model], ["flatten", model], ["partition", model],
                          ["dump", model, "--stage", "model"], ["problems"], ["simulate", model]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([TOOL, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(result.returncode, 3, (arguments, result.stderr))
            self.assertIn("cannot write standard output: No space left on device", result.stderr)

    def test_limits_are_positive(self):
        for option in ("--time-limit", "--memory-limit"):
            for value in ("0", "-1"):
                stderr = self.assert_ends(2, f"a limit is positive, not `{value}`", "simulate", self.model(DECAY), option, value)
                self.assertLess(len(stderr), 200)

    def test_damaged_states_are_refused(self):
        self.run_tool("simulate", self.model(DECAY), "--save-state", self.path("s.json"))
        with open(self.path("s.json")) as handle:
            state = json.load(handle)
        for name, value in (("version", []), ("version", "x"), ("version", {}), ("version", None), ("version", 1.5), ("format", None),
                            ("format", 3), ("format", [])):
            with open(self.path("d.json"), "w") as handle:
                json.dump({**state, name: value}, handle)
            self.assert_ends(2, "is not a state that hydae has saved", "simulate", self.path("M.mo"), "--resume", self.path("d.json"))
        with open(self.path("d.json"), "w") as handle:
            json.dump({**state, "version": 1}, handle)
        self.assert_ends(2, "has version 1 of the format of states", "simulate", self.path("M.mo"), "--resume", self.path("d.json"))


    def test_a_state_of_another_solver_says_of_which(self):
        model = self.model("model M Real x(start = 1, fixed = true), y; equation der(x) = -y; y = x + 0.1*sin(y); end M;")
        self.run_tool("simulate", model, "--solver", "ida", "--save-state", self.path("s.json"))
        result = self.run_tool("simulate", model, "--solver", "taylor", "--stop", "2", "--resume", self.path("s.json"))
        if result.returncode != 0:
            self.assertIn("take the --solver that has saved it", result.stderr)
            self.assertIn("the run cannot go on", result.stdout)

    def test_parameters_of_a_state_that_are_others_than_those_of_the_model_are_named(self):
        # The default is edited behind the first part: exp(-1) and exp(-1 - 1), not exp(-1 - 3).
        self.run_tool("simulate", self.model(DECAY), "--save-state", self.path("s.json"))
        model = self.model(DECAY.replace("k = 1", "k = 3"))
        result = self.run_tool("simulate", model, "--stop", "2", "--resume", self.path("s.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: parameters have the values of the state: `k = 1 instead of 3`", result.stderr)
        self.assertIn("x = 0.13533", result.stdout)

    def test_a_wrong_table_is_said_once_with_its_component(self):
        with open(self.path("L.mo"), "w") as handle:
            handle.write("""package L
  class Table extends ExternalObject;
    function constructor input String name; input String file; input Real data[:,:]; input Integer columns[:];
      input Integer smoothness; input Integer extrapolation; output Table t;
      external "C" t = ModelicaStandardTables_CombiTable1D_init2(file, name, data, size(data, 1), size(data, 2), columns, size(columns, 1),
        smoothness, extrapolation, true); end constructor;
    function destructor input Table t; external "C" ModelicaStandardTables_CombiTable1D_close(t); end destructor;
  end Table;
  function value input Table t; input Integer column; input Real u; output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, column, u); end value;
  function least input Table t; output Real u;
    external "C" u = ModelicaStandardTables_CombiTable1D_minimumAbscissa(t); end least;
  block B parameter Real data[:,2]; Table t = Table("t", "NoName", data, {2}, 1, 1);
    parameter Real first = least(t); Real y = value(t, 1, time), z = value(t, 1, first); end B;
end L;""")
        for data in ("{{0, 1}, {2, 2}, {1, 3}}", "{{0, 1}, {0, 2}}", "fill(0.0, 0, 2)"):
            model = self.model("model M\n  L.B c(data = %s);\nend M;" % data)
            stderr = self.assert_ends(1, "note: the table is that of `c.t` (", "check", model, "--path", self.folder.name)
            self.assertEqual(stderr.count("error:"), 1, stderr)
            self.assertIn("M.mo:2:7)", stderr)


class Assertions(Case):
    def test_messages_of_assertions_have_the_source_line(self):
        # x = t reaches 0.5; the assertion stands in the third line.
        for form in ('assert(x < 0.5, "too big");', 'assert(not x >= 0.5, "too big");',
                     'when x >= 0.5 then\nassert(false, "too big"); end when;'):
            model = self.model("model M Real x(start = 0, fixed = true); equation\nder(x) = 1;\n" + form + " end M;")
            line = 4 if "when" in form else 3
            for solver in ("taylor", "ida"):
                stderr = self.assert_ends(3, "too big (", "simulate", model, "--solver", solver)
                self.assertRegex(stderr, r"assertion at t = 0\.5: too big \(.*M\.mo:%d:\d+\) \[assertion-failed\]" % line)

    def test_messages_of_delays_and_indices_have_the_source_line(self):
        model = self.model("model M Real x(start = 0, fixed = true), y; equation\nder(x) = 1;\ny = delay(x, 0.5 - x, 1); end M;")
        self.assertRegex(self.assert_ends(3, "the delay time of `delay` is negative", "simulate", model), r"M\.mo:3:\d+\)")
        model = self.model("model M Real a[3] = {1, 2, 3}; Real y; equation\n\ny = a[integer(1 + 4*time)]; end M;")
        stderr = self.assert_ends(3, "index `integer(1 + 4*time)` of `a` is outside of 1 to 3 (", "simulate", model)
        self.assertRegex(stderr, r"assertion at t = 0\.75: index .*M\.mo:3:\d+\)")

    def test_division_of_discrete_values_by_zero_is_named(self):
        # integer(2 - 3*time) is zero behind t = 1/3; integer(0.5 - x) + 1 behind x = t = 0.5.
        for body, name, time in (("Integer n; equation\nn = div(7, integer(2 - 3*time));", "div", "0.3333333333"),
                                 ("Integer n; Real x(start = 0, fixed = true); equation der(x) = 1;\nn = mod(5, integer(0.5 - x) + 1);", "mod", "0.5"),
                                 ("Integer n; Real x(start = 0, fixed = true); equation der(x) = 1;\nn = rem(5, integer(0.5 - x) + 1);", "rem", "0.5")):
            stderr = self.assert_ends(3, f"`{name}` divides by zero (", "simulate", self.model("model M " + body + " end M;"))
            self.assertRegex(stderr, r"assertion at t = %s: .*M\.mo:2:\d+\)" % re.escape(time))

    def test_an_assertion_of_level_warning_is_said_once_for_each_violation(self):
        # x = t leaves once at 0.5; sin(2 pi t) is above 0.5 from 1/12 to 5/12 of each period.
        model = self.model('model M Real x(start = 0, fixed = true); equation der(x) = 1;\n'
                           'assert(x < 0.5, "large", AssertionLevel.warning); end M;')
        wave = ('model M Real s(start = 0, fixed = true), c(start = 1, fixed = true); constant Real w = 2*3.14159265358979; equation\n'
                'der(s) = w*c; der(c) = -w*s;\nassert(s < 0.5, "high", AssertionLevel.warning); end M;')
        for solver in ("taylor", "ida"):
            stderr = self.run_tool("simulate", model, "--stop", "2", "--solver", solver).stderr
            self.assertEqual(re.findall(r"assertion at t = ([0-9.]+)", stderr), ["0.5"], stderr)
        for solver in ("taylor", "ida"):
            stderr = self.run_tool("simulate", self.model(wave), "--stop", "2", "--tolerance", "1e-9", "--solver", solver).stderr
            times = [float(t) for t in re.findall(r"assertion at t = ([0-9.]+)", stderr)]
            self.assertEqual(len(times), 2, stderr)
            for found, expected in zip(times, (1/12, 13/12)):
                self.assertAlmostEqual(found, expected, delta=1e-6)

    def test_many_warnings_that_differ_in_numbers_only_are_counted(self):
        model = self.model('model M Integer n(start = 0, fixed = true); equation when sample(0, 0.01) then n = pre(n) + 1;\n'
                           'assert(false, "n is " + String(pre(n)), AssertionLevel.warning); end when; end M;')
        # 101 samples from 0 to 1: 20 are told, the other 81 counted.
        stderr = self.run_tool("simulate", model).stderr
        self.assertEqual(stderr.count("warning:"), 21, stderr)
        self.assertRegex(stderr, r"warning: 81 more like these, the last one: assertion at t = 1: n is 100")


class Events(Case):
    MODEL = "model M Integer n(start = 0, fixed = true); Real x(start = 0, fixed = true); equation der(x) = 1; " \
            "when sample(0, 1e-3) then n = pre(n) + 1; end when; end M;"

    def peak(self, *arguments):
        """Resident memory at its largest, in MB."""
        code = ("import resource, subprocess, sys; r = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(r.returncode)")
        result = subprocess.run([sys.executable, "-c", code, TOOL, *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        return int(result.stdout) / 1024

    def test_memory_does_not_grow_with_events(self):
        # A record of an event has some 500 bytes: 40,000 of them would be 20 MB.
        run = lambda stop: self.peak("simulate", self.model(self.MODEL), "--stop", stop, "--points", "2", "--output", self.path("s.csv"))
        self.assertLess(run("40"), run("1") + 5)

    def test_events_are_counted_and_with_stats_told(self):
        model = self.model(self.MODEL)
        self.assertIn("1001 events", self.run_tool("simulate", model).stdout)
        self.run_tool("simulate", model, "--stats", self.path("s.json"), "--quiet")
        with open(self.path("s.json")) as handle:
            self.assertEqual(len(json.load(handle)["events"]), 1001)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
