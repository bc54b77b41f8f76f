#!/usr/bin/env python3
"""All C++ sources are formatted by .clang-format. Skipped (status 77) where clang-format 14, whose output
the sources follow, is not installed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77


def main():
    program = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not program:
        return SKIPPED
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if not re.search(r"version 14\.", version):
        return SKIPPED
    names = subprocess.run(["git", "ls-files", "*.cc", "*.h"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split()
    names = [name for name in names if (ROOT / name).exists()]
    checked = subprocess.run([program, "--dry-run", *names], cwd=ROOT, capture_output=True, text=True)
    unformatted = sorted({line.split(":")[0] for line in checked.stderr.splitlines() if "clang-format" in line})
    for name in unformatted:
        print(f"{name}: run ./dev fmt")
    return 1 if unformatted else 0


if __name__ == "__main__":
    sys.exit(main())
