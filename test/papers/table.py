#!/usr/bin/env python3
"""The table of docs/math/papers.md: each statement of the papers, and the test that shows it or the reason why none does.

  python3 test/papers/table.py          fails if the page has another table
  python3 test/papers/table.py --write  writes it"""
import ast
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "docs", "math", "papers.md")
FILES = ("hybrid_daets", "initial_values", "partition_paper", "course", "scicos")
HEAD = "| row | statement | test |\n|---|---|---|\n"


def class_of(name):
    with open(os.path.join(HERE, name + "_test.py")) as handle:
        tree = ast.parse(handle.read())
    return next(c for c in tree.body if isinstance(c, ast.ClassDef) and any(
        isinstance(s, ast.Assign) and s.targets[0].id == "ROWS" for s in c.body))


def entries(paper, name):
    for statement in class_of(name).body:
        if isinstance(statement, ast.FunctionDef) and (match := re.match(r"test_row_(\d+)_(\w+)", statement.name)):
            yield int(match.group(1)), match.group(2).replace("_", " "), f"`{name}_test.py`"
        elif isinstance(statement, ast.Assign) and statement.targets[0].id == "ELSEWHERE":
            for row, reason in ast.literal_eval(statement.value).items():
                yield row, reason, "elsewhere"


def table():
    lines = []
    for paper, name in enumerate(FILES):
        lines += [f"| {paper}.{row} | {what} | {where} |\n" for row, what, where in sorted(entries(paper, name))]
    return HEAD + "".join(lines)


def missing_files():
    files = re.findall(r"\b(?:docs|examples|src|test)/[\w./-]*\w", table())
    return [file for file in files if not os.path.exists(os.path.join(HERE, "..", "..", file))]


def main():
    if missing_files():
        print("there is no", *missing_files())
        return 1
    with open(PAGE) as handle:
        before, _, old = handle.read().partition(HEAD)
    new = before + table()
    if "--write" in sys.argv:
        with open(PAGE, "w") as handle:
            handle.write(new)
        return 0
    if HEAD + old == table():
        return 0
    print("docs/math/papers.md has another table than the tests: python3 test/papers/table.py --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
