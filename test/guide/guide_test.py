#!/usr/bin/env python3
"""Runs the files and commands of a guide page. ```modelica file=NAME and ```csv file=NAME blocks are written to a folder;
in ```console blocks each `$ hydae ...` line is run there and what it prints must be what follows it.
`...` stands for anything in a line; a line of `...` for any lines."""
import os
import re
import subprocess
import sys
import tempfile

TOOL, PAGE = os.path.abspath(sys.argv[1]), sys.argv[2]


def blocks(text):
    return re.findall(r"^```(\w+)([^\n]*)\n(.*?)^```$", text, re.M | re.S)


def commands(block):
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def pattern(expected):
    lines = []
    for line in expected.splitlines():
        if line == "...":
            lines.append(r"(?:[^\n]*\n)*?")
        else:
            lines.append("[^\n]*".join(map(re.escape, line.split("..."))) + "\n")
    return "".join(lines)


def main():
    failures = count = 0
    with open(PAGE) as page, tempfile.TemporaryDirectory() as folder:
        for kind, info, body in blocks(page.read()):
            if kind in ("modelica", "csv") and "file=" in info:
                with open(os.path.join(folder, info.split("file=")[1].strip()), "w") as file:
                    file.write(body)
            if kind != "console":
                continue
            for command, expected in commands(body):
                count += 1
                words = command.replace("hydae", TOOL, 1).split()
                run = subprocess.run(words, cwd=folder, text=True, timeout=60,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if not re.fullmatch(pattern(expected), run.stdout):
                    failures += 1
                    print(f"$ {command}\nexpected:\n{expected}\nprinted:\n{run.stdout}")
    print(f"{count} commands, {failures} failures")
    return 1 if failures or count == 0 else 0


sys.exit(main())
