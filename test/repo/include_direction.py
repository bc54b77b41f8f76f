#!/usr/bin/env python3
"""Checks that #include lines only point downward in the map of modules.

The order is read from CMakeLists.txt (the foreach over modules): modules of one line do not include
each other, unless the module's CMakeLists.txt says DEPENDS. Every include of a module must be covered
by DEPENDS, directly or through another module.

Decompositions of Eigen are compiled in linalg only: they take longer than what uses them.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Public headers that are not named after their module.
DECOMPOSITIONS = re.compile(r"Eigen/(?:Dense|LU|QR|SVD|Cholesky|Eigenvalues|Sparse(?:LU|QR|Cholesky)?)")
PUBLIC_HEADER_MODULE = {"ids": "base", "source": "base", "diagnostic": "base", "error": "base"}


def module_levels():
    text = (ROOT / "CMakeLists.txt").read_text()
    body = re.search(r"foreach\(module\n(.*?)\)\n", text, re.S).group(1)
    lines = [line.split() for line in body.splitlines() if line.strip()]
    return {module: level for level, line in enumerate(lines) for module in line}


def declared_dependencies(module):
    cmake = ROOT / "src" / module / "CMakeLists.txt"
    match = re.search(r"DEPENDS\s+([a-z_\s]+?)(?:LINK|\))", cmake.read_text()) if cmake.exists() else None
    return match.group(1).split() if match else []


def reachable(module):
    seen, stack = set(), [module]
    while stack:
        current = stack.pop()
        if current not in seen:
            seen.add(current)
            stack.extend(declared_dependencies(current))
    return seen


def module_of_header(include, levels):
    public = re.fullmatch(r"hydae/(\w+)\.h", include)
    if public:
        name = public.group(1)
        return PUBLIC_HEADER_MODULE.get(name) or public_owner(name, levels)
    part = include.split("/")[0]
    return part if part in levels else None


def public_owner(name, levels):
    """A public header says in its first lines which module it belongs to, if not by its name."""
    if name in levels:
        return name
    header = ROOT / "include" / "hydae" / f"{name}.h"
    match = re.search(r"^// Module: (\w+)", header.read_text(), re.M) if header.exists() else None
    return match.group(1) if match else None


def files_of_modules(levels):
    for module in levels:
        folder = ROOT / "src" / module
        for path in sorted(folder.rglob("*.cc")) + sorted(folder.rglob("*.h")):
            yield module, path
    for path in sorted((ROOT / "include" / "hydae").glob("*.h")):
        yield module_of_header(f"hydae/{path.name}", levels), path


def main():
    levels = module_levels()
    faults = []
    for module, path in files_of_modules(levels):
        where = path.relative_to(ROOT)
        if module is None:
            faults.append(f"{where}: no module owns this header: say `// Module: NAME` at its top")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#include\s+[<"]([^">]+)[">]', line)
            if not match:
                continue
            include = match.group(1)
            if DECOMPOSITIONS.fullmatch(include) and module != "linalg" and not path.stem.endswith("_test"):
                faults.append(f"{where}:{number}: {include} belongs into linalg (dense_factors.h, sparse_factors.h)")
            target = module_of_header(include, levels)
            if target is None or target == module:
                continue
            if levels[target] > levels[module]:
                faults.append(f"{where}:{number}: {module} includes {include}: upward in the map")
            elif target not in reachable(module):
                faults.append(f"{where}:{number}: {module} includes {include} without DEPENDS {target}")
    print("\n".join(faults) if faults else "includes point downward")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
