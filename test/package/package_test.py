#!/usr/bin/env python3
"""package_test.py BUILD static|shared COMPILER FLAGS: installs the build and runs a project outside that finds
the package. The shared library shows nothing of what the public headers do not declare."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

build, kind, compiler, flags = sys.argv[1:]
source = Path(__file__).resolve().parent
# Modules behind the public headers, a class of `sim`, and a library that is compiled in.
PRIVATE = re.compile(r"\b(hydae::(?:codegen|compile|linalg|init|integrate|syntax|modelica)::|hydae::TrialSolver\b|Eigen::)")


def entity(line):
    """What a line of `nm -C` names, without the arguments of templates and functions: a standard template over
    one of our types may be shown, because the namespace std is."""
    name, count = line.split(" ", 2)[2], 1
    while count:
        name, count = re.subn(r"<[^<>]*>", "", name)
    return name.split("(")[0]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    installed = Path(folder) / "installed"
    run("cmake", "--install", build, "--prefix", installed, "--component", kind)
    run("cmake", "-S", source, "-B", f"{folder}/outside", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CXX_FLAGS={flags}", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", f"{folder}/outside")
    run(f"{folder}/outside/decay")
    run(installed / "bin/hydae", "--version")
    libraries = [path for path in installed.rglob("libhydae*") if not path.is_symlink()]
    if kind == "shared":
        [library] = libraries
        shown = [line for line in run("nm", "-DC", "--defined-only", library).splitlines() if PRIVATE.search(entity(line))]
        if shown:
            sys.exit(f"{library.name} shows {len(shown)} names that no public header declares: {shown[:5]}")
    elif any(path.suffix != ".a" for path in libraries):
        sys.exit(f"not archives only: {libraries}")
