#!/usr/bin/env python3
"""The launcher in a small tree whose cmake, ninja and apt-get are stand-ins that count their calls."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The stand-in for a build: twelve steps; the tool it makes prints the source it was made from.
CMAKE = """#!/usr/bin/env bash
case $1 in
  --build)
    echo build >>"$CALLS"
    [ -e "$ROOT/src/broken" ] && { echo "src/a.cc:1: error: broken"; exit 1; }
    text=$(cat "$ROOT/src/a.cc")
    sleep "${BUILD_SECONDS:-0}"
    echo "[0/2] Re-checking globbed directories..."
    for i in $(seq 12); do echo "[$i/12] Building CXX object a$i.o"; done
    mkdir -p "$2/tool"
    printf '#!/bin/sh\\necho "%s $*"\\n' "$text" >"$2/tool/hydae"
    chmod +x "$2/tool/hydae" ;;
  *) echo configure >>"$CALLS" ;;
esac
"""
NINJA = "#!/bin/sh\nseq 12\n"
DPKG_QUERY = """#!/usr/bin/env bash
shift 2
for package; do [ -e "$CALLS.installed" ] && echo "$package installed"; done
exit 0
"""
APT_GET = """#!/bin/sh
echo "$@" | grep -q install || exit 0
echo install >>"$CALLS"
sleep "${INSTALL_SECONDS:-0}"
touch "$CALLS.installed"
"""


class Launcher(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "tree"
        self.calls = self.folder / "calls"
        for name in ("src", "include", "tool", "cmake"):
            (self.root / name).mkdir(parents=True)
        for name in ("hydae", "dev", "cmake/setup.sh"):
            shutil.copy2(ROOT / name, self.root / name)
        (self.root / "CMakeLists.txt").touch()
        (self.root / "CMakePresets.json").touch()
        self.source = self.root / "src/a.cc"
        self.source.write_text("one")
        programs = self.folder / "bin"
        programs.mkdir()
        for name, text in dict(cmake=CMAKE, ninja=NINJA, **{"dpkg-query": DPKG_QUERY, "apt-get": APT_GET}).items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", CALLS=str(self.calls),
                                ROOT=str(self.root), HYDAE_PACKAGE_LOCK=str(self.folder / "packages.lock"))
        Path(f"{self.calls}.installed").touch()

    def start(self, *arguments, **environment):
        return subprocess.Popen([self.root / "hydae", *arguments], env=dict(self.environment, **environment),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_tool(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def count(self, what):
        return self.calls.read_text().split().count(what) if self.calls.exists() else 0

    def test_first_launch_builds_says_how_long_and_passes_the_arguments_on(self):
        status, out, err = self.run_tool("a", "b c")
        self.assertEqual((status, out), (0, "one a b c\n"))
        self.assertRegex(err, r"hydae: building \(release\): 12 steps, about \d+ (s|min) on \d+ processors")

    def test_progress_is_a_line_per_tenth(self):
        _, _, err = self.run_tool()
        lines = [line for line in err.splitlines() if " of 12" in line]
        self.assertEqual(len(lines), 10, err)
        self.assertIn("hydae: building (release): 12 of 12", lines[-1])

    def test_second_launch_is_silent_and_starts_no_build(self):
        self.run_tool()
        status, out, err = self.run_tool("x")
        self.assertEqual((status, out, err, self.count("build")), (0, "one x\n", "", 1))

    def test_a_changed_source_is_built(self):
        self.run_tool()
        self.source.write_text("two")
        self.assertEqual(self.run_tool()[1], "two \n")

    def test_a_source_restored_with_an_older_time_is_built(self):
        self.run_tool()
        self.source.write_text("old")  # as long as "one"
        os.utime(self.source, (1e9, 1e9))
        self.assertEqual(self.run_tool()[1], "old \n")

    def test_a_source_edited_during_the_build_is_built_by_the_next_launch(self):
        process = self.start(BUILD_SECONDS="1")
        while not self.count("build"):
            time.sleep(0.01)
        time.sleep(0.3)
        self.source.write_text("two")
        self.assertEqual(process.communicate(timeout=60)[0], "one \n")
        self.assertEqual(self.run_tool()[1], "two \n")

    def test_a_deleted_tool_is_built_again(self):
        self.run_tool()
        (self.root / "build/release/tool/hydae").unlink()
        self.assertEqual(self.run_tool()[:2], (0, "one \n"))

    def test_a_failed_build_ends_with_4_shows_the_error_and_is_tried_again(self):
        (self.root / "src/broken").touch()
        status, _, err = self.run_tool()
        self.assertEqual(status, 4)
        self.assertIn("src/a.cc:1: error: broken", err)
        (self.root / "src/broken").unlink()
        self.assertEqual(self.run_tool()[:2], (0, "one \n"))

    def test_two_launches_at_once_build_once(self):
        first = self.start("1", BUILD_SECONDS="1")
        while not self.count("build"):
            time.sleep(0.01)
        second = self.start("2", BUILD_SECONDS="1")
        out, err = second.communicate(timeout=60)
        self.assertIn("hydae: waiting for another build to end\n", err)
        self.assertEqual((out, first.communicate(timeout=60)[0], self.count("build")), ("one 2\n", "one 1\n", 1))

    @unittest.skipUnless(os.getuid() == 0, "packages are installed by root only")
    def test_two_launches_at_once_install_once(self):
        Path(f"{self.calls}.installed").unlink()
        first = self.start("1", INSTALL_SECONDS="1")
        while not self.count("install"):
            time.sleep(0.01)
        second = self.start("2")
        self.assertIn("waiting for another installation", second.communicate(timeout=60)[1])
        first.communicate(timeout=60)
        self.assertEqual((first.returncode, second.returncode, self.count("install")), (0, 0, 1))


if __name__ == "__main__":
    unittest.main()
