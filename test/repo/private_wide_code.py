#!/usr/bin/env python3
"""private_wide_code.py NM ARCHIVE...: the objects that are compiled for processors with AVX2 (cmake: hydae_vector_kernels) define
no weak code. A linker takes one copy of an inline function for the whole program: were it from such an object, the program would
stop with an illegal instruction on an older processor, far away from where anybody looks."""
import subprocess
import sys


def weak_code(nm, archive):
    member = ""
    for line in subprocess.run([nm, archive], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.endswith(":"):
            member = line[:-1]
        elif "_wide" in member and line and line.split()[-2] in "WVu":
            yield f"{archive}({member}): {line.split()[-1]}"


def main():
    nm, *archives = sys.argv[1:]
    listings = [subprocess.run([nm, archive], capture_output=True, text=True, check=True).stdout for archive in archives]
    faults = [f"{archive} has no wide object" for archive, text in zip(archives, listings) if "_wide" not in text]
    faults += [fault for archive in archives for fault in weak_code(nm, archive)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
