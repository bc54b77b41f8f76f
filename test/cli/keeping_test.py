#!/usr/bin/env python3
"""Nothing is lost: signals, limits, full disks and failures keep what was reached, and old results stay
unless there is something better."""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = sys.argv[1]

# An oscillator that runs for hours; each second of the run has rows.
ENDLESS = """model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y + 1e-9*sin(x*y);
  der(y) = -x;
  annotation(experiment(StopTime = 5e6, Interval = 0.1));
end M;
"""
SHORT = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;"
# No solution at the start: nothing is reached.
NO_SOLUTION = "model M Real x(start = 1); equation x^2 = -1 - time; end M;"
# exp overflows at t = 7.1: rows up to there.
OVERFLOW = """model M Real x(start = 0, fixed = true); Real y(start = 0, fixed = true);
equation der(x) = 100; der(y) = exp(x); annotation(experiment(StopTime = 10)); end M;"""
# A thousand million events.
STORM = """model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);
equation der(x) = 1; when sample(0, 1e-9) then n = pre(n) + 1; end when; end M;"""


class Keeping(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w") as handle:
            handle.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as handle:
            return handle.read()

    def run_tool(self, *arguments, **options):
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=60, **options)

    def names(self):
        return sorted(os.listdir(self.folder.name))

    def assert_whole_rows(self, name, columns):
        text = self.read(name)
        self.assertTrue(text.endswith("\n"))
        lines = text.splitlines()
        self.assertGreater(len(lines), 1)
        for line in lines[1:]:
            self.assertEqual(len([float(field) for field in line.split(",")]), columns)
        return lines

    def wait_for_rows(self, are_streamed):
        """Until the temporary file has some; results that are written at the end have a second."""
        if not are_streamed:
            return time.sleep(1)
        for _ in range(300):
            time.sleep(0.05)
            if any(name.startswith(".hydae-") and os.path.getsize(self.path(name)) for name in self.names()):
                return None
        return self.fail("no rows within 15 s")

    def interrupt(self, number, suffix, *more):
        model = self.write("M.mo", ENDLESS)
        output = self.path("out" + suffix)
        process = subprocess.Popen([TOOL, "simulate", model, "--output", output, "--stats",
                                    self.path("stats.json"), *more], stderr=subprocess.PIPE, text=True)
        self.wait_for_rows(suffix == ".csv")
        process.send_signal(number)
        error = process.communicate(timeout=30)[1]
        return process.returncode, error

    def test_a_signal_ends_a_run_and_keeps_its_rows(self):
        for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM"),
                             (signal.SIGHUP, "SIGHUP")):
            status, error = self.interrupt(number, ".csv")
            self.assertEqual(status, 3)
            self.assertIn(f"cancelled by {name} [cancelled]", error)
            self.assertIn("the rows up to t = ", error)
            lines = self.assert_whole_rows("out.csv", 5)
            stats = json.loads(self.read("stats.json"))
            self.assertEqual(stats["status"], "cancelled")
            self.assertLessEqual(float(lines[-1].split(",")[0]), stats["t_end"])
            self.assertEqual(self.names(), ["M.mo", "out.csv", "stats.json"])

    def test_files_that_are_written_at_the_end_are_written_after_a_signal(self):
        status, error = self.interrupt(signal.SIGINT, ".json")
        self.assertEqual(status, 3, error)
        self.assertGreater(len(json.loads(self.read("out.json"))["time"]), 10)
        status, error = self.interrupt(signal.SIGINT, ".mat")
        self.assertEqual(status, 3, error)
        self.assertGreater(os.path.getsize(self.path("out.mat")), 1000)

    def test_a_time_limit_ends_a_run_with_its_rows(self):
        result = self.run_tool("simulate", self.write("M.mo", ENDLESS), "--output", self.path("a.csv"),
                               "--time-limit", "1", "--plot", self.path("a.svg"))
        self.assertEqual(result.returncode, 3)
        self.assertIn("the time limit of 1 s is reached [time-limit]", result.stderr)
        self.assert_whole_rows("a.csv", 5)
        self.assertIn("</svg>", self.read("a.svg"))

    def test_a_memory_limit_ends_a_run_with_its_rows(self):
        result = self.run_tool("simulate", self.write("M.mo", STORM), "--output", self.path("a.csv"),
                               "--memory-limit", "70", "--stats", self.path("a.json"))
        self.assertEqual(result.returncode, 3)
        self.assertIn("the memory limit of 70 MB is reached", result.stderr)
        self.assertIn("[memory-limit]", result.stderr)
        self.assert_whole_rows("a.csv", 4)
        self.assertEqual(json.loads(self.read("a.json"))["status"], "memory-limit")

    def test_an_end_before_the_run_leaves_no_files(self):
        # 10^9 products each, below the limit of one: some seconds until the model is there, or until it has a start.
        flattened = "model M parameter Real s = %s; Real x = s; end M;" % " + ".join(["sum(ones(1000, 1000)*ones(1000, 1000))"] * 40)
        files = ["--output", self.path("a.csv"), "--plot", self.path("a.svg"), "--stats", self.path("a.json")]
        result = self.run_tool("simulate", self.write("M.mo", flattened), *files, "--time-limit", "0.3")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("the time limit of 0.3 s is reached while the run was ", result.stderr)  # which phase is a matter of the machine
        self.assertEqual(self.names(), ["M.mo"])
        process = subprocess.Popen([TOOL, "simulate", self.path("M.mo"), *files], stderr=subprocess.PIPE, text=True)
        while not any(name.startswith(".hydae-") for name in self.names()):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertIn("cancelled by SIGTERM while the run was", process.communicate(timeout=30)[1])
        self.assertEqual((process.returncode, self.names()), (3, ["M.mo"]))

    def test_limits_hold_for_a_command_that_does_not_listen(self):
        # Forty million products before the model is there.
        model = self.write("M.mo", "model M Real x = sum(i*j for i in 1:200000, j in 1:200000); end M;")
        start = time.monotonic()
        result = self.run_tool("check", model, "--time-limit", "0.5", "--memory-limit", "3000")
        if result.returncode != 1:  # refused by its size, which is better still
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("[time-limit]", result.stderr)
        self.assertLess(time.monotonic() - start, 30)

    def test_an_old_result_stays_where_nothing_was_reached(self):
        self.write("old.csv", "good\n")
        result = self.run_tool("simulate", self.write("M.mo", NO_SOLUTION), "--output",
                               self.path("old.csv"), "--plot", self.path("a.svg"))
        self.assertEqual(result.returncode, 3)
        self.assertEqual(self.read("old.csv"), "good\n")
        self.assertIn("nothing was reached: `", result.stderr)
        self.assertIn("initialization", result.stderr)  # why, although the plot has nothing to show
        self.assertEqual(self.names(), ["M.mo", "old.csv"])

    def test_a_run_that_fails_keeps_its_rows(self):
        result = self.run_tool("simulate", self.write("M.mo", OVERFLOW), "--output", self.path("a.csv"),
                               "--stats", self.path("a.json"), "--solver", "taylor")
        self.assertEqual(result.returncode, 3)
        self.assert_whole_rows("a.csv", 5)

    def test_no_row_lies_behind_the_end_or_is_infinite(self):
        # x = exp(t) is above the largest number from t = 709.78 on.
        model = self.write("M.mo", SHORT.replace("-x", "x"))
        for solver in ("auto", "taylor", "ida"):
            result = self.run_tool("simulate", model, "--stop", "1000", "--output", self.path("a.csv"),
                                   "--stats", self.path("a.json"), "--solver", solver)
            self.assertEqual(result.returncode, 3)
            lines = self.assert_whole_rows("a.csv", 3)
            stats = json.loads(self.read("a.json"))
            self.assertLessEqual(float(lines[-1].split(",")[0]), stats["t_end"])
            self.assertNotIn("inf", lines[-1])
            self.assertNotIn("nan", lines[-1])

    def test_a_full_disk_keeps_whole_rows(self):
        # A limit on the size of files is a full disk of its own.
        model = self.write("M.mo", SHORT)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))
        result = self.run_tool("simulate", model, "--output", self.path("a.csv"), "--points", "20000",
                               preexec_fn=limit)
        self.assertEqual(result.returncode, 3)
        self.assertIn("cannot write `", result.stderr)
        self.assertIn("holds the first rows", result.stderr)
        self.assert_whole_rows("a.csv", 3)
        self.write("a.mat", "good\n")
        result = self.run_tool("simulate", model, "--output", self.path("a.mat"), "--points", "20000",
                               preexec_fn=limit)
        self.assertEqual(result.returncode, 3)
        self.assertEqual(self.read("a.mat"), "good\n")
        self.assertEqual(self.names(), ["M.mo", "a.csv", "a.mat"])

    def test_folders_are_tried_before_the_run(self):
        model = self.write("M.mo", ENDLESS)
        for option, name in (("--output", "no/x.csv"), ("--plot", "no/x.svg"), ("--stats", "no/x.json"),
                             ("--output", "x" * 300 + ".csv")):
            start = time.monotonic()
            result = self.run_tool("simulate", model, option, self.path(name))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("cannot write", result.stderr)
            self.assertLess(time.monotonic() - start, 10)
        os.mkdir(self.path("folder.csv"))
        result = self.run_tool("simulate", model, "--output", self.path("folder.csv"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("Is a directory", result.stderr)

    def test_two_options_on_one_file_are_refused(self):
        model = self.write("M.mo", SHORT)
        os.symlink(self.path("a.json"), self.path("link.json"))
        for other in ("a.json", "./a.json", "link.json"):
            result = self.run_tool("simulate", model, "--output", self.path("a.json"), "--stats",
                                   os.path.join(self.folder.name, other))
            self.assertEqual(result.returncode, 2, other)
            self.assertIn("--output and --stats mean the same file", result.stderr)
            self.write("a.json", "")  # the second and third time it exists
        result = self.run_tool("simulate", model, "--stats", model)
        self.assertEqual(result.returncode, 2)
        self.assertIn("the model and --stats mean the same file", result.stderr)
        result = self.run_tool("simulate", model, "--output", "-", "--stats", "-")
        self.assertEqual(result.returncode, 2)
        self.write("u.csv", "time,u\n0,1\n")
        for command, first, second in (("simulate", ("--save-state", model), ()), ("simulate", ("--output", self.path("a.csv")), ("--save-state", self.path("a.csv"))),
                                       ("simulate", ("--input", self.path("u.csv")), ("--output", self.path("u.csv"))), ("flatten", ("--output", model), ()),
                                       ("analyze", ("--output", model), ()), ("init", ("--output", model), ()), ("dump", ("--stage", "model", "--output", model), ()),
                                       ("partition", ("--subsystem", model), ()), ("partition", ("--output", self.path("p")), ("--subsystem", self.path("p")))):
            result = self.run_tool(command, model, *first, *second)
            self.assertEqual(result.returncode, 2, (command, first, second, result.stderr))
            self.assertIn("mean the same file", result.stderr)
            self.assertEqual((self.read("M.mo"), self.read("u.csv")), (SHORT, "time,u\n0,1\n"))

    def test_a_state_may_replace_the_one_it_came_from(self):
        model, state = self.write("M.mo", SHORT), self.path("state.json")
        self.assertEqual(self.run_tool("simulate", model, "--save-state", state).returncode, 0)
        result = self.run_tool("simulate", model, "--resume", state, "--stop", "5", "--save-state", state)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_folders_and_devices_are_no_tables_and_no_states(self):
        model = self.write("M.mo", SHORT)
        for option in "--input", "--resume":
            for file, why in ((self.folder.name, "it is a folder"), ("/dev/zero", "it is a device"), (self.path("none"), "No such file")):
                result = self.run_tool("simulate", model, option, file)
                self.assertEqual(result.returncode, 2, (option, file, result.stderr))
                self.assertIn(why, result.stderr)

    def test_an_empty_word_is_no_value(self):
        model = self.write("M.mo", SHORT)
        for option in "--stop", "--tolerance", "--output", "--set", "--max-step", "--points":
            result = self.run_tool("simulate", model, option, "")
            self.assertEqual(result.returncode, 2, (option, result.stderr))

    def test_a_result_keeps_links_and_permissions(self):
        model = self.write("M.mo", SHORT)
        self.write("real.csv", "old\n")
        os.chmod(self.path("real.csv"), 0o640)
        os.symlink("real.csv", self.path("link.csv"))
        result = self.run_tool("simulate", model, "--output", self.path("link.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(os.path.islink(self.path("link.csv")))
        self.assertEqual(os.stat(self.path("real.csv")).st_mode & 0o777, 0o640)
        self.assertIn("time,x", self.read("real.csv"))

    def test_a_device_is_written_directly(self):
        result = self.run_tool("simulate", self.write("M.mo", SHORT), "--stats", "/dev/null", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_rows_are_not_kept_in_memory(self):
        # A quarter of a million rows of three numbers are 6 MB; the buffer of a file is much smaller.
        model = self.write("M.mo", SHORT)
        def peak(points):
            with open(os.devnull, "w") as null:
                process = subprocess.Popen([TOOL, "simulate", model, "--points", str(points), "--output",
                                            self.path("a.csv")], stdout=null)
                usage = os.wait4(process.pid, 0)[2]
                process.returncode = 0
                return usage.ru_maxrss
        self.assertLess(peak(250000) - peak(2), 2000)  # kilobytes

    def test_a_run_out_of_memory_keeps_its_rows(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))
        result = self.run_tool("simulate", self.write("M.mo", STORM), "--output", self.path("a.csv"),
                               "--time-limit", "30", preexec_fn=limit)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assert_whole_rows("a.csv", 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
