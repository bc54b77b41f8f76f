#!/usr/bin/env python3
"""Flattens library examples, reads the flat text again and compares: both flat texts must be equal.

usage: round_trip.py TOOL LIBRARY [REGEX]

REGEX chooses examples by name (all without it). Prints those that differ or cannot be read back, then counts.
"""
import os
import re
import subprocess
import sys
import tempfile

from sweep import find_examples


def flatten(tool, what, output, library):
    run = subprocess.run([tool, "flatten", what, "--path", library, "--output", output], capture_output=True,
                         text=True, timeout=60)
    return run.returncode == 0, run.stderr.strip()


def first_difference(a, b):
    with open(a) as left, open(b) as right:
        for x, y in zip(left, right):
            if x != y:
                return f"{x.strip()[:120]} | {y.strip()[:120]}"
    return "one text is longer"


def main():
    tool, library = sys.argv[1:3]
    pattern = sys.argv[3] if len(sys.argv) > 3 else ""
    count = {"equal": 0, "flattened": 0}
    for name in find_examples(library):
        if not re.search(pattern, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            once, twice = os.path.join(folder, "once.mo"), os.path.join(folder, "twice.mo")
            try:
                if not flatten(tool, name, once, library)[0]:
                    continue
                count["flattened"] += 1
                is_read, errors = flatten(tool, once, twice, library)
            except subprocess.TimeoutExpired:
                print(f"{name}: takes too long")
                continue
            if not is_read:
                print(f"{name}: {(errors.splitlines() or ['no message'])[0][-200:]}")
            elif open(once).read() != open(twice).read():
                print(f"{name}: {first_difference(once, twice)}")
            else:
                count["equal"] += 1
    print(f"{count['equal']} of {count['flattened']} flat texts read back to themselves")
    return 0 if count["equal"] == count["flattened"] else 1


if __name__ == "__main__":
    sys.exit(main())
