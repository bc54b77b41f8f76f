#!/usr/bin/env python3
"""What a model of a stranger can and cannot do: the sentences of docs/guide/security.md, by number."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL, PAGE = sys.argv[1], sys.argv[2]
DECAY = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;"
ENDLESS = """model M Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation der(x) = y + 1e-9*sin(x*y); der(y) = -x; annotation(experiment(StopTime = 1e9)); end M;"""
READER = """model M
  impure function read
    input String name;
    input Integer line;
    output String text;
    output Boolean ended;
    external "C" text = ModelicaInternal_readLine(name, line, ended);
  end read;
  parameter String s = read("%s", 1);
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  assert(x > 2, "it says " + s);
end M;
"""


class Security(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.mkdir(self.path("model"))

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def model(self, text):
        pathlib.Path(self.path("model", "M.mo")).write_text(text)
        return self.path("model", "M.mo")

    def run_tool(self, *arguments, **options):
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=60,
                              cwd=self.folder.name, **options)

    def assert_nothing_happened(self):
        self.assertFalse(any("pwned" in name for _, _, files in os.walk(self.folder.name) for name in files))

    def test_s1_pictures_are_text(self):
        model = self.model('model M Real x(start = 1, fixed = true, unit = "V\n!touch pwned\nsystem(\\"touch pwned\\")\n"); '
                           "equation der(x) = -x; end M;")
        result = self.run_tool("simulate", model, "--plot", "a.svg")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_nothing_happened()
        fold = self.model('model M parameter Real p(unit = "V\n!touch pwned\n#") = 0; Real x; equation x = p; end M;')
        result = self.run_tool("init", fold, "--continue", "p=0:1", "--plot", "b.svg")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_nothing_happened()

    def test_s2_names_are_names(self):
        for name in ("|touch pwned;.svg", "$(touch pwned).svg", ";touch pwned .svg"):
            self.assertEqual(self.run_tool("simulate", self.model(DECAY), "--plot", name).returncode, 0)
            os.remove(self.path(name))
        self.assert_nothing_happened()

    def external(self, annotation=""):
        return self.model('model M function system input String s; output Integer r; external "C" r = system(s)'
                          f'{annotation}; end system; Real x = system("touch pwned"); end M;')

    def test_s3_code_needs_permission(self):
        result = self.run_tool("simulate", self.external())
        self.assertEqual(result.returncode, 1)
        self.assertIn("system", result.stderr)
        self.assert_nothing_happened()

    def test_s4_text_of_programs_is_not_compiled(self):
        result = self.run_tool("simulate", self.external(
            ' annotation(Include = "int system(const char* s) { return 1; }", IncludeDirectory = "/tmp")'))
        self.assertEqual(result.returncode, 1)
        self.assert_nothing_happened()

    def assert_not_read(self, text, *arguments):
        result = self.run_tool("simulate", *arguments)
        self.assertNotIn("secret", result.stdout + result.stderr)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(text, result.stderr)

    def test_s5_files_of_others_are_not_read(self):
        os.mkdir(self.path("other"))
        pathlib.Path(self.path("other", "a.txt")).write_text("secret\n")
        pathlib.Path(self.path("model", "b.txt")).write_text("own\n")
        model = self.model(READER % self.path("other", "a.txt"))
        self.assert_not_read("--allow-files", model)
        self.assert_not_read("--allow-files", self.model(READER % self.path("model", "..", "other", "a.txt")))
        result = self.run_tool("simulate", self.model(READER % self.path("other", "a.txt")), "--allow-files",
                               self.path("other"))
        self.assertIn("it says secret", result.stderr)
        result = self.run_tool("simulate", self.model(READER % self.path("model", "b.txt")))
        self.assertIn("it says own", result.stderr)

    def test_s6_links_are_not_followed_outside(self):
        pathlib.Path(self.path("a.txt")).write_text("secret\n")
        os.symlink(self.path("a.txt"), self.path("model", "link.txt"))
        self.assert_not_read("--allow-files", self.model(READER % self.path("model", "link.txt")))

    def test_s7_devices_are_no_files(self):
        os.mkfifo(self.path("model", "pipe"))
        for name in ("/dev/zero", self.path("model", "pipe")):
            start = time.monotonic()
            self.assert_not_read("", self.model(READER % name), "--allow-files", "/dev")
            self.assertLess(time.monotonic() - start, 20)

    def test_s8_nothing_is_written(self):
        for call in ('ModelicaInternal_print("pwned", "%s")', 'ModelicaInternal_rename("M.mo", "%s")',
                     'ModelicaInternal_removeFile("%s")'):
            model = self.model("model M function f input Real x; output Real y; "
                               f'external "C" {call % self.path("model", "pwned")}; end f; '
                               "Real x = f(time); end M;")
            self.run_tool("simulate", model)
            self.assertEqual(os.listdir(self.path("model")), ["M.mo"])

    def test_s9_terminals_obey_no_model(self):
        model = self.model('model M Real x(start = 1, fixed = true, unit = "\x1b[2J"); equation der(x) = -x; '
                           'assert(x > 0.5, "\x1b]0;title\x07"); end M;')
        result = self.run_tool("simulate", model)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertIn("\\x1b]0;title\\x07", result.stderr)

    def test_s10_old_results_stay_without_new_ones(self):
        pathlib.Path(self.path("a.csv")).write_text("old\n")
        model = self.model("model M Real x(start = 1); equation x^2 = -1 - time; end M;")
        self.assertEqual(self.run_tool("simulate", model, "--output", "a.csv").returncode, 3)
        self.assertEqual(pathlib.Path(self.path("a.csv")).read_text(), "old\n")

    def test_s11_the_model_stays(self):
        model = self.model(DECAY)
        self.assertEqual(self.run_tool("simulate", model, "--stats", "model/../model/M.mo").returncode, 2)
        self.assertEqual(pathlib.Path(model).read_text(), DECAY)

    def test_s12_time_is_limited(self):
        result = self.run_tool("simulate", self.model(ENDLESS), "--time-limit", "0.5", "--output", "a.csv")
        self.assertEqual(result.returncode, 3)
        self.assertIn("[time-limit]", result.stderr)
        self.assertGreater(os.path.getsize(self.path("a.csv")), 0)

    def test_s13_ctrl_c_ends_a_run(self):
        process = subprocess.Popen([TOOL, "simulate", self.model(ENDLESS), "--output", self.path("a.csv")],
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertIn("[cancelled]", process.communicate(timeout=30)[1])
        self.assertEqual(process.returncode, 3)
        curve = self.model("model M parameter Real p = 0; Real x(start = 0); equation x + x^3 = sin(p); end M;")
        process = subprocess.Popen([TOOL, "init", curve, "--continue", "p=-4:4", "--max-step", "1e-8", "--max-points",
                                    "100000000"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        self.assertIn("cancelled by SIGTERM", process.communicate(timeout=30)[1])
        self.assertEqual(process.returncode, 3)

    def test_s14_memory_is_limited(self):
        result = self.run_tool("check", self.model(DECAY), "--memory-limit", "1")
        if result.returncode != 0:  # faster than the first look
            self.assertEqual(result.returncode, 3)
            self.assertIn("[memory-limit]", result.stderr)
        storm = self.model("model M Integer n(start = 0, fixed = true); equation when sample(0, 1e-9) then "
                           "n = pre(n) + 1; end when; end M;")
        result = self.run_tool("simulate", storm, "--memory-limit", "70", "--stats", "a.json")  # keeps all events
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("[memory-limit]", result.stderr)

    def test_s15_rows_are_limited(self):
        for option in (("--points", "1000000000"), ("--interval", "1e-12")):
            self.assertEqual(self.run_tool("simulate", self.model(DECAY), *option).returncode, 2)

    def test_the_page_names_these_tests_and_no_others(self):
        text = pathlib.Path(PAGE).read_text()
        numbers = [name.split("_")[1] for name in dir(self) if name.startswith("test_s")]
        self.assertEqual(sorted(n for n in numbers if f"[{n}]" not in text), [])
        self.assertEqual(text.count(" [s"), len(numbers))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
