#!/usr/bin/env python3
"""Functions of at most 90 lines and five parameters, classes of at most 25 methods and 20 members.

What breaks a rule today stands in house_exceptions.txt, one line each. The list only shrinks: with --strict
(./dev check) a line that is no longer true is a fault too; --write writes the list anew. Functions whose
parameters SUNDIALS or Ipopt dictate, because they call them, stand in dictated_signatures.txt for good.
"""

import collections
import re
import sys
from pathlib import Path

import cpp_text

ROOT = Path(__file__).resolve().parents[2]
EXCEPTIONS = Path(__file__).with_name("house_exceptions.txt")
DICTATED = Path(__file__).with_name("dictated_signatures.txt")
MOST_LINES, MOST_PARAMETERS, MOST_METHODS, MOST_MEMBERS = 90, 5, 25, 20
FOLDERS = ("include", "src", "tool", "bench", "examples")

CLASS = re.compile(r"^(?:template <.*> )?(?:class|struct) (?:alignas\(.*?\) )?((?:\w+::)*\w+)")
FUNCTION = re.compile(r"^(?:[^=(]|operator ?=+)*?((?:\w+::)*(?:~?\w+|operator ?[^\w\s(]+|operator\(\))) ?\((.*)")
NO_FUNCTION = re.compile(r"^(?:if|for|while|switch|else|do|return|case|try|catch|namespace|using|typedef|static_assert|"
                         r"TEST|TEST_P|TEST_F|MATCHER\w*|INSTANTIATE_\w+)\b")


def is_scope(head):
    return head.startswith(("namespace", "extern")) or CLASS.match(head) is not None


def class_of(head):
    match = CLASS.match(head)
    return match.group(1) if match else None


def function_of(head):
    """Name and parameters of the function that a statement or the head of a block declares."""
    head = re.sub(r"^(?:template <[^(]*?> |(?:public|private|protected): )+", "", head)
    match = None if NO_FUNCTION.match(head) else FUNCTION.match(head)
    return (match.group(1), cpp_text.list_items(match.group(2))) if match else None


def long_functions(text, where):
    for path, head, first, last in cpp_text.blocks(text):
        function = function_of(head) if all(is_scope(outer) for outer in path) and not class_of(head) else None
        if function and last - first + 1 > MOST_LINES:
            yield f"{where}: `{function[0]}` has more than {MOST_LINES} lines", last - first + 1


def long_parameter_lists(text, where):
    for path, head, _ in cpp_text.walk(text):
        function = function_of(head) if all(is_scope(outer) for outer in path) and not class_of(head) else None
        if function and len(function[1]) > MOST_PARAMETERS:
            yield f"{where}: `{function[0]}` has more than {MOST_PARAMETERS} parameters", len(function[1])


def is_member(statement):
    return not re.match(r"(?:using|friend|enum|struct|class|static|template|typedef)\b", statement)


def large_classes(text, where):
    methods, members = collections.Counter(), collections.Counter()
    for path, head, _ in cpp_text.walk(text):
        if not path or not class_of(path[-1]) or class_of(head):
            continue
        owner = class_of(path[-1])
        head = re.sub(r"^(?:public|private|protected): ?", "", head)
        if function_of(head):
            methods[owner] += 0 if re.search(r"= ?(?:default|delete)$", head) else 1
        elif is_member(head):
            members[owner] += len(cpp_text.list_items(re.sub(r"<[^()]*>", "", head)))
    for owner, count in methods.items():
        if count > MOST_METHODS:
            yield f"{where}: `{owner}` has more than {MOST_METHODS} methods", count
    for owner, count in members.items():
        if count > MOST_MEMBERS:
            yield f"{where}: `{owner}` has more than {MOST_MEMBERS} members", count


def faults():
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in (".cc", ".h") or file.stem.endswith("_test"):
                continue
            text, where = cpp_text.bare(file.read_text()), file.relative_to(ROOT)
            for rule in (long_functions, long_parameter_lists, large_classes):
                yield from rule(text, where)


def main():
    found = dict(faults())
    dictated = set(DICTATED.read_text().splitlines())
    known = set(EXCEPTIONS.read_text().splitlines()) | dictated
    if sys.argv[1:] == ["--write"]:
        EXCEPTIONS.write_text("".join(f"{line}\n" for line in sorted(set(found) - dictated)))
        return 0
    broken = sorted(set(found) - known)
    gone = sorted(known - set(found))
    for line in broken:
        print(f"{line} ({found[line]})")
    for line in gone:
        print(f"no longer true, remove it from {EXCEPTIONS.name}: {line}")
    return 1 if broken or (gone and "--strict" in sys.argv) else 0


if __name__ == "__main__":
    sys.exit(main())
