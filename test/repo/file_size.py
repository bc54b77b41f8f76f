#!/usr/bin/env python3
"""Checks that no source file is past 700 lines, no line past 100 columns, and no file has a vague name."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_LINES = 700
MOST_COLUMNS = 100
VAGUE = re.compile(r"(^|_)(util|utils|helper|helpers|misc|common|manager)(_|\.|$)")


def tracked_sources():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.cc", "*.h", "*.py"],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).exists()]


def is_text(line, path):
    """Addresses and expected output of tests cannot be broken."""
    return "http" in line or '"' in line or path.name.endswith("_test.cc")


def faults_of(path):
    where = path.relative_to(ROOT)
    lines = path.read_text().splitlines()
    if len(lines) > MOST_LINES:
        yield f"{where}: {len(lines)} lines: split it by concept (at most {MOST_LINES})"
    if VAGUE.search(path.name):
        yield f"{where}: name the file after its concept"
    if path.suffix != ".py":
        for number, line in enumerate(lines, 1):
            if len(line) > MOST_COLUMNS and not is_text(line, path):
                yield f"{where}:{number}: {len(line)} columns (at most {MOST_COLUMNS})"


def main():
    faults = [fault for path in tracked_sources() for fault in faults_of(path)]
    print("\n".join(faults) if faults else "sizes and names are fine")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
