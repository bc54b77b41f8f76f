#!/usr/bin/env python3
"""The sources of a module are compiled in groups, so what one file defines in an anonymous namespace must
not be defined by another file of the module: constants, types, and functions with the same parameters."""

import collections
import re
import sys
from pathlib import Path

import cpp_text

ROOT = Path(__file__).resolve().parents[2]


def is_in_anonymous_namespace(path):
    return "namespace" in path and all(head.startswith("namespace") for head in path)


NUMBERS = re.compile(r"\b(?:std::)?(?:int|double|float|bool|char|long|unsigned|u?int\d+_t|size_t|ptrdiff_t|Index)\b")


def parameter_types(text):
    """Of a list that begins after its parenthesis; all kinds of numbers are one, for they convert."""
    types = (re.sub(r"( ?=.*| \w+)$", "", re.sub(r" ?=.*", "", item)) for item in cpp_text.list_items(text))
    return ", ".join(NUMBERS.sub("number", kind) for kind in types)


def names_of(statement):
    statement = re.sub(r"^template <[^{}]*?> (?=\w)", "", statement)
    if re.match(r"(using|namespace|TEST|INSTANTIATE|MATCHER|extern|friend)", statement):
        return []
    kind = re.match(r"(?:struct|class|union|enum(?: class)?) (\w+)", statement)
    if kind:
        return [kind.group(1)]
    constants = re.findall(r"\b(k[A-Z]\w*)(?:\[\w*\])? ?(?:=|$)", statement)
    if constants:
        return constants
    function = re.match(r"[^=(]*?(?<![:\w])(\w+) ?\((.*)", statement)
    return [f"{function.group(1)}({parameter_types(function.group(2))})"] if function else []


def definitions(file):
    found = set()
    for path, statement, _ in cpp_text.walk(cpp_text.bare(file.read_text())):
        if is_in_anonymous_namespace(path):
            found.update(names_of(statement))
    return found


def clashes(files):
    places = collections.defaultdict(list)
    for file in files:
        for name in definitions(file):
            places[name].append(file.name)
    return {name: sorted(where) for name, where in sorted(places.items()) if len(where) > 1}


def programs():
    for folder in sorted((ROOT / "src").iterdir()) + [ROOT / "tool"]:
        files = sorted(folder.rglob("*.cc"))
        tests = [file for file in files if file.stem.endswith("_test")]
        yield folder.name, [file for file in files if file not in tests]
        yield f"tests of {folder.name}", tests
    tests = ROOT / "test"
    yield "analytic_test", sorted((tests / "analytic").glob("*_test.cc"))
    yield "events_test", sorted((tests / "events").glob("*_test.cc"))
    yield "models_test", [file for folder in ("conformance", "golden", "models", "msl", "robustness")
                          for file in sorted((tests / folder).glob("*.cc"))]


def main():
    num_clashes = 0
    for program, files in programs():
        for name, where in clashes(files).items():
            num_clashes += 1
            print(f"{program}: `{name}` is defined in the anonymous namespaces of {', '.join(where)}")
    return 1 if num_clashes else 0


if __name__ == "__main__":
    sys.exit(main())
