#!/usr/bin/env python3
"""Each diagnostic that the sources can give occurs by its name in a test or a golden file.

Those that do not yet stand in untested_diagnostics.txt, which only shrinks: with --strict (./dev check) a
name in it that has a test, or is gone, is a fault too; --write writes the list anew.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXCEPTIONS = Path(__file__).with_name("untested_diagnostics.txt")
GIVEN = re.compile(r'(?:\b(?:fail|error|warning|note)\(\s*|\.code = )"([a-z]+(?:-[a-z0-9]+)+)"')


def tracked(*patterns):
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *patterns], cwd=ROOT,
                           capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in names if (ROOT / name).exists()]


def main():
    sources = [file for file in tracked("src/*.cc", "src/*.h", "tool/*.cc") if not file.stem.endswith("_test")]
    tests = [file for file in tracked("test/*", "src/*_test.cc") if file != EXCEPTIONS]
    given = {name for file in sources for name in GIVEN.findall(file.read_text())}
    tested = set(re.findall(r"[a-z]+(?:-[a-z0-9]+)+", "\n".join(file.read_text(errors="replace") for file in tests)))
    untested = given - tested
    if sys.argv[1:] == ["--write"]:
        EXCEPTIONS.write_text("".join(f"{name}\n" for name in sorted(untested)))
        return 0
    known = set(EXCEPTIONS.read_text().split())
    for name in sorted(untested - known):
        print(f"[{name}] occurs in no test")
    for name in sorted(known - untested):
        print(f"remove it from {EXCEPTIONS.name}: {name}")
    return 1 if untested - known or (known - untested and "--strict" in sys.argv) else 0


if __name__ == "__main__":
    sys.exit(main())
