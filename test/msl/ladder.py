#!/usr/bin/env python3
"""Simulates examples of the Modelica Standard Library and compares them with reference results.

usage: ladder.py TOOL LIBRARY [REFERENCES]

LIBRARY is the folder that holds `Modelica`; REFERENCES a folder with NAME.csv files. Prints a line for each
example: simulated or why not, and whether all reference signals lie in their tubes. A tube has the half-width
0.002 times the range of the signal, in value, and of the time span, in time; one point outside fails.
"""
import bisect
import csv
import os
import subprocess
import sys
import tempfile

HALF_WIDTH = 0.002
NOMINAL_FLOOR = 0.001


def read_table(path):
    with open(path, newline="") as handle:
        rows = list(csv.reader(handle))
    columns = {name: [] for name in rows[0]}
    for row in rows[1:]:
        for name, value in zip(rows[0], row):
            columns[name].append(float(value))
    return columns


def value_at(times, values, t, k):
    """The piecewise linear signal at t, which lies in [times[k], times[k + 1]]."""
    width = times[k + 1] - times[k]
    share = 0 if width == 0 else (t - times[k]) / width
    return values[k] + share * (values[k + 1] - values[k])


def window(times, values, low, high):
    """Smallest and largest value of the piecewise linear signal on [low, high]."""
    first, last = bisect.bisect_left(times, low), bisect.bisect_right(times, high)
    inside = values[first:last]
    if 0 < first < len(times):
        inside.append(value_at(times, values, low, first - 1))
    if 0 < last < len(times):
        inside.append(value_at(times, values, high, last - 1))
    return min(inside), max(inside)


def is_in_tube(reference_times, reference, times, values):
    size = max(max(reference) - min(reference), NOMINAL_FLOOR * max(map(abs, reference)), 1e-12)
    slack = (reference_times[-1] - reference_times[0]) * HALF_WIDTH
    for t, value in zip(reference_times, reference):
        low, high = window(times, values, max(t - slack, times[0]), min(t + slack, times[-1]))
        if not low - HALF_WIDTH * size <= value <= high + HALF_WIDTH * size:
            return False
    return True


def outside(name, table, reference_path):
    """Signals of the reference that the result lacks or that leave their tube."""
    reference = read_table(reference_path)
    times = reference.pop("time")
    faults = []
    for signal, values in reference.items():
        if signal not in table:
            faults.append(signal + " (missing)")
        elif not is_in_tube(times, values, table["time"], table[signal]):
            faults.append(signal)
    return faults


def simulate(tool, library, name, folder):
    result = os.path.join(folder, "result.csv")
    run = subprocess.run([tool, "simulate", name, "--path", library, "--output", result, "--points", "5001"],
                         capture_output=True, text=True, timeout=120)
    return run.returncode, run.stderr.strip(), result


def main():
    tool, library = sys.argv[1:3]
    references = sys.argv[3] if len(sys.argv) > 3 else None
    names = sorted(file[:-4] for file in os.listdir(references) if file.endswith(".csv"))
    count = {"simulated": 0, "in tube": 0}
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            try:
                status, errors, result = simulate(tool, library, name, folder)
            except subprocess.TimeoutExpired:
                status, errors = 3, "timeout"
            if status != 0:
                lines = [line for line in errors.splitlines() if "error" in line or "[" in line]
                print(f"{name}: {(lines or [errors])[0][:160]}")
                continue
            count["simulated"] += 1
            faults = outside(name, read_table(result), os.path.join(references, name + ".csv"))
        count["in tube"] += not faults
        print(f"{name}: simulated, " + ("in tube" if not faults else "outside: " + ", ".join(faults[:4])))
    print(f"{count['in tube']} in tube, {count['simulated']} simulated, of {len(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
