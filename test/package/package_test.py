#!/usr/bin/env python3
"""package_test.py BUILD COMPILER FLAGS: installs the build and runs a project outside that finds the package."""

import subprocess
import sys
import tempfile
from pathlib import Path

build, compiler, flags = sys.argv[1:]
source = Path(__file__).resolve().parent
with tempfile.TemporaryDirectory() as folder:
    for command in (
        ["cmake", "--install", build, "--prefix", f"{folder}/installed"],
        ["cmake", "-S", source, "-B", f"{folder}/outside", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
         f"-DCMAKE_CXX_FLAGS={flags}", f"-DCMAKE_PREFIX_PATH={folder}/installed"],
        ["cmake", "--build", f"{folder}/outside"],
        [f"{folder}/outside/decay"],
        [f"{folder}/installed/bin/hydae", "--version"],
    ):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
