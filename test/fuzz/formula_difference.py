"""Random formulas against Python.

    python3 test/fuzz/formula_difference.py TOOL COUNT SEED [poles]

Each model has formulas of time and of three states with known solutions (a line, a sine, an exponential), built from arithmetic,
powers, elementary functions, min, max, abs, sign, floor, ceil, div, mod, rem, if-expressions with and without noEvent. hydae computes them
along a run by one of auto, taylor and ida at one of three tolerances; Python at the same instants from the exact states. Not judged are
instants at which a formula jumps or has no value nearby (found by looking at t +- 1e-5), and formulas that have no value somewhere on the way
or grow beyond 1e6. Prints what differs; the exit status is 1 if anything did. With `poles` divisors, powers and arguments of atan2 may pass through
zero: what is known to be wrong there stands in docs/design/testing.md.
"""
import csv
import io
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PER_MODEL = 6
STOP = 1.0
POINTS = 9
NEARBY = 1e-5
HAS_POLES = sys.argv[4:] == ["poles"]


def div(a, b):
    return float(math.trunc(a / b))


def mod(a, b):
    return a - b * math.floor(a / b)


def rem(a, b):
    return a - b * div(a, b)


def sign(a):
    return (a > 0) - (a < 0)


NAMES = {"math": math, "div": div, "mod": mod, "rem": rem, "sign": sign}
ONE = ["sin", "cos", "atan", "tanh", "exp", "log", "sqrt", "sinh", "cosh", "asin", "abs", "sign", "floor", "ceil"]


def leaf(rng):
    kind = rng.random()
    if kind < 0.3:
        return "time", "t"
    if kind < 0.75:
        name = rng.choice(["x", "s", "e"])
        return name, name
    number = repr(rng.choice([0.3, 0.7, 1.1, 1.9, 2.3, 3.7, 5.3]))
    return number, number


def condition(rng, depth):
    a, b = formula(rng, depth + 1), formula(rng, depth + 1)
    op = rng.choice(["<", "<=", ">", ">="])
    both = f"{a[0]} {op} {b[0]}", f"({a[1]} {op} {b[1]})"
    kind = rng.random()
    if kind < 0.15:
        return f"not ({both[0]})", f"(not {both[1]})"
    if kind < 0.3:
        return f"noEvent({both[0]})", both[1]
    if kind < 0.45 and depth < 2:
        other, word = condition(rng, depth + 1), rng.choice(["and", "or"])
        return f"(({both[0]}) {word} ({other[0]}))", f"({both[1]} {word} {other[1]})"
    return both


def formula(rng, depth=0):
    if depth > 3 or rng.random() < 0.15:
        return leaf(rng)
    a, b = formula(rng, depth + 1), formula(rng, depth + 1)
    kind = rng.randrange(16)
    if kind < 6:
        op = "+-*+-*"[kind]
        return f"({a[0]} {op} {b[0]})", f"({a[1]} {op} {b[1]})"
    if kind == 6 and not HAS_POLES:
        return f"({a[0]}/(1.3 + {b[0]}^2))", f"({a[1]} / (1.3 + ({b[1]})**2))"
    if kind == 6:
        return f"({a[0]}/{b[0]})", f"({a[1]} / {b[1]})"
    if kind == 7:
        power = rng.choice([2, 3, -1] if HAS_POLES else [2, 3])
        return f"(({a[0]})^({power}))", f"(({a[1]})**({power}))"
    if kind < 11:
        name = rng.choice(ONE)
        python = name if name in ("abs", "sign") else f"math.{name}"
        return f"{name}({a[0]})", f"{python}({a[1]})"
    if kind == 11:
        name = rng.choice(["min", "max"])
        return f"{name}({a[0]}, {b[0]})", f"{name}({a[1]}, {b[1]})"
    if kind == 12:
        name, number = rng.choice(["div", "mod", "rem"]), rng.choice(["0.7", "1.3", "2.1"])
        return f"{name}({a[0]}, {number})", f"{name}({a[1]}, {number})"
    if kind == 13:
        if not HAS_POLES:
            b = f"(0.4 + abs({b[0]}))", f"(0.4 + abs({b[1]}))"
        return f"atan2({a[0]}, {b[0]})", f"math.atan2({a[1]}, {b[1]})"
    c = condition(rng, depth + 1)
    return f"(if {c[0]} then {a[0]} else {b[0]})", f"({a[1]} if {c[1]} else {b[1]})"


class Model:
    """x = x0 + r t, s = sin(w t + p), e = exp(-k t)."""

    def __init__(self, rng):
        self.x0, self.r = rng.choice([-1.3, 0.2, 0.9]), rng.choice([-2.1, 0.6, 1.7])
        self.w, self.p, self.k = rng.choice([1.3, 4.1, 11.0]), rng.choice([0.2, 1.1, -0.7]), rng.choice([0.4, 3.1])
        self.formulas = []
        while len(self.formulas) < PER_MODEL:
            made = formula(rng)
            if self.is_usable(made[1]):
                self.formulas.append(made)

    def value(self, python, t):
        names = dict(NAMES, t=t, x=self.x0 + self.r * t, s=math.sin(self.w * t + self.p), e=math.exp(-self.k * t))
        value = eval(python, names)
        if isinstance(value, complex) or not math.isfinite(value):
            raise ValueError
        return float(value)

    def is_usable(self, python):
        try:
            code = compile(python, "formula", "eval")
            return all(abs(self.value(code, STOP * k / 100)) < 1e6 for k in range(101)) and any(name in python for name in "txse")
        except (ValueError, ZeroDivisionError, OverflowError):
            return False

    def expected(self, python, t):
        """None: not judged here."""
        try:
            values = [self.value(python, t + shift) for shift in (0.0, -NEARBY, NEARBY)]
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
        return values[0] if max(values) - min(values) <= 1e-2 * max(1, abs(values[0])) else None

    def text(self, numbers):
        declared = "".join(f"  Real y{j} = {self.formulas[j][0]};\n" for j in numbers)
        return (f"model M\n  Real x(start = {self.x0}, fixed = true), s(start = sin({self.p}), fixed = true), c(start = cos({self.p}), fixed = true);\n"
                f"  Real e(start = 1, fixed = true);\n{declared}equation\n  der(x) = {self.r};\n  der(s) = {self.w}*c;\n  der(c) = -{self.w}*s;\n"
                f"  der(e) = -{self.k}*e;\nend M;\n")


def run(tool, text, solver, tolerance, folder):
    file = folder / "M.mo"
    file.write_text(text)
    try:
        done = subprocess.run([tool, "simulate", str(file), "--solver", solver, "--tolerance", tolerance, "--points", str(POINTS), "--stop", str(STOP),
                               "--output", "-"], capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "no end", [], ""
    return done.returncode, list(csv.DictReader(io.StringIO(done.stdout))), done.stderr


def faults_of(tool, model, numbers, solver, tolerance, folder, counts):
    text = model.text(numbers)
    status, rows, message = run(tool, text, solver, tolerance, folder)
    if status != 0 and len(numbers) > 1:
        return [fault for j in numbers for fault in faults_of(tool, model, [j], solver, tolerance, folder, counts)]
    if status == 1 and "[not-for-taylor]" in message:
        counts["refused"] += 1
        return []
    if status == 3:  # said, not silent: a formula may touch the edge of its domain between the points that were looked at
        counts["stopped"] += 1
        return []
    if status != 0:
        return [f"{solver} {tolerance}: status {status}\n{message}{text}"]
    found = []
    for row in {row["time"]: row for row in rows}.values():  # the last row of an instant
        t = float(row["time"])
        if not (t * (POINTS - 1) / STOP).is_integer():
            continue  # an event
        for j in numbers:
            expected = model.expected(model.formulas[j][1], t)
            if expected is None:
                counts["skipped"] += 1
                continue
            counts["compared"] += 1
            # What the neighbours differ by is the slope: an error of 1000 tolerances in the states.
            near = [model.value(model.formulas[j][1], t + shift) for shift in (-NEARBY, NEARBY)]
            slope = abs(near[1] - near[0]) / (2 * NEARBY)
            allowed = 1000 * float(tolerance) * (max(1, abs(expected)) + slope) + 1e-9
            if not abs(float(row[f"y{j}"]) - expected) <= allowed:
                found.append(f"{solver} {tolerance}: y{j}({t}) = {row[f'y{j}']}, expected {expected}\n{text}")
                break
    return found[:1]


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    counts = {"compared": 0, "skipped": 0, "refused": 0, "stopped": 0}
    faults = []
    with tempfile.TemporaryDirectory() as name:
        for _ in range(count):
            model = Model(rng)
            solver, tolerance = rng.choice(["auto", "taylor", "ida"]), rng.choice(["1e-4", "1e-6", "1e-9"])
            faults += faults_of(tool, model, range(PER_MODEL), solver, tolerance, Path(name), counts)
    print("\n".join(faults))
    print(f"{count} models of {PER_MODEL} formulas, seed {seed}: {counts['compared']} values compared, {counts['skipped']} at jumps not judged, "
          f"{counts['stopped']} formulas stopped with a message, {counts['refused']} refused, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
