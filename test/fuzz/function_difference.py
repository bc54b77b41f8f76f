"""Random functions against Python.

    python3 test/fuzz/function_difference.py TOOL COUNT SEED

Each function has Real and Integer inputs, locals, arrays, nested if, for and while, break, return and calls of functions made
before it. It is written twice from one tree: as Modelica and as Python, whose div, mod, rem, integer, subscripts and limits are
those of the Modelica specification. Each is called four ways: with literals (folded), with parameters, with constant states (so
that the run evaluates it) by `auto`, and the same by `ida`. Where Python comes to a number hydae must come to it; where
Python stops (a subscript out of range, a division by zero) hydae must not end with exit status 0. Prints what differs and the
model; the exit status is 1 if anything did.
"""
import csv
import io
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

NUM_LOOP_STEPS = 400  # of one call, all loops together: longer ones are not judged
PER_MODEL = 6
REFUSED = []  # forms of what was refused although it has a value


class Undefined(Exception):
    """What Modelica has no value for."""


class TooLong(Exception):
    """More steps than are worth comparing."""


def int_div(a, b):
    if b == 0:
        raise Undefined
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def real_div(a, b):
    if b == 0:
        raise Undefined
    return float(math.trunc(a / b))


def div(a, b):
    return int_div(a, b) if isinstance(a, int) and isinstance(b, int) else real_div(a, b)


def rem(a, b):
    return a - b * div(a, b)


def mod(a, b):
    if b == 0:
        raise Undefined
    return a - b * math.floor(a / b) if not (isinstance(a, int) and isinstance(b, int)) else a % b


def quotient(a, b):
    if b == 0:
        raise Undefined
    return a / b


def at(v, k):
    if not 1 <= k <= len(v):
        raise Undefined
    return v[k - 1]


def put(v, k, value):
    if not 1 <= k <= len(v):
        raise Undefined
    v[k - 1] = value


class Budget:
    def __init__(self):
        self.left = NUM_LOOP_STEPS

    def step(self):
        self.left -= 1
        if self.left < 0:
            raise TooLong


class Writer:
    """A function in both languages. Expressions are pairs (Modelica, Python)."""

    def __init__(self, rng, name, callees):
        self.rng, self.name, self.callees = rng, name, callees
        self.reals = ["u", "v", "a", "b"]
        self.ints = ["k", "i1", "i2"]
        self.loop_ints = []
        self.modelica, self.python = [], []
        self.num_loops = 0
        self.max_depth = 3

    # -- expressions

    def number(self):
        return repr(self.rng.choice([0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0.125, 5.5]))

    def real(self, depth=0):
        rng = self.rng
        if depth > 2 or rng.random() < 0.2:
            kind = rng.random()
            if kind < 0.55:
                name = rng.choice(self.reals)
                return name, name
            if kind < 0.75:
                number = self.number()
                return number, number
            if kind < 0.9:
                index = self.index()
                return f"w[{index[0]}]", f"at(w, {index[1]})"
            name = rng.choice(self.ints + self.loop_ints)
            return name, name
        x, y = self.real(depth + 1), self.real(depth + 1)
        kind = rng.randrange(14)
        if kind < 3:
            op = "+-*"[kind]
            return f"({x[0]} {op} {y[0]})", f"({x[1]} {op} {y[1]})"
        if kind == 3:
            return f"({x[0]}/(1 + {y[0]}^2))", f"quotient({x[1]}, 1 + ({y[1]})**2)"
        if kind == 4:
            return f"sin({x[0]})", f"math.sin({x[1]})"
        if kind == 5:
            return f"sqrt(abs({x[0]}))", f"math.sqrt(abs({x[1]}))"
        if kind == 6:
            return f"max({x[0]}, {y[0]})", f"max({x[1]}, {y[1]})"
        if kind == 7:
            return f"min({x[0]}, {y[0]})", f"min({x[1]}, {y[1]})"
        if kind == 8:
            c = self.condition(depth + 1)
            return f"(if {c[0]} then {x[0]} else {y[0]})", f"({x[1]} if {c[1]} else {y[1]})"
        if kind == 9:
            return f"floor({x[0]})", f"float(math.floor({x[1]}))"
        if kind == 10:
            return f"abs({x[0]})", f"abs({x[1]})"
        if kind == 11:
            return f"(-{x[0]})", f"(-{x[1]})"
        if kind == 12 and self.callees:
            callee = rng.choice(self.callees)
            k = self.integer(depth + 1)
            return f"{callee}({x[0]}, {y[0]}, {k[0]})", f"{callee}({x[1]}, {y[1]}, {k[1]}, budget)"
        return f"atan({x[0]})", f"math.atan({x[1]})"

    def integer(self, depth=0):
        rng = self.rng
        if depth > 2 or rng.random() < 0.3:
            if rng.random() < 0.7:
                name = rng.choice(self.ints + self.loop_ints)
                return name, name
            number = str(rng.randrange(0, 7))
            return number, number
        x, y = self.integer(depth + 1), self.integer(depth + 1)
        kind = rng.randrange(9)
        if kind < 2:
            op = "+-"[kind]
            return f"({x[0]} {op} {y[0]})", f"({x[1]} {op} {y[1]})"
        if kind == 2:
            factor = rng.randrange(1, 4)
            return f"({x[0]}*{factor})", f"({x[1]}*{factor})"
        if kind == 3:
            d = rng.choice([2, 3, 5, -3])
            return f"div({x[0]}, {d})", f"div({x[1]}, {d})"
        if kind == 4:
            d = rng.choice([2, 3, 5, 7])
            return f"mod({x[0]}, {d})", f"mod({x[1]}, {d})"
        if kind == 5:
            d = rng.choice([2, 3, 5, -4])
            return f"rem({x[0]}, {d})", f"rem({x[1]}, {d})"
        if kind == 6:
            return f"abs({x[0]})", f"abs({x[1]})"
        if kind == 7:
            r = self.real(depth + 1)
            return f"integer(3*sin({r[0]}))", f"math.floor(3*math.sin({r[1]}))"
        c = self.condition(depth + 1)
        return f"(if {c[0]} then {x[0]} else {y[0]})", f"({x[1]} if {c[1]} else {y[1]})"

    def condition(self, depth=0):
        rng = self.rng
        kind = rng.random()
        if depth < 2 and kind < 0.15:
            x, y = self.condition(depth + 1), self.condition(depth + 1)
            op = rng.choice(["and", "or"])
            return f"({x[0]} {op} {y[0]})", f"({x[1]} {op} {y[1]})"
        if depth < 2 and kind < 0.25:
            x = self.condition(depth + 1)
            return f"(not {x[0]})", f"(not {x[1]})"
        op = rng.choice(["<", "<=", ">", ">="])
        if kind < 0.6:
            x, y = self.real(2), self.real(2)
            return f"({x[0]} {op} {y[0]})", f"({x[1]} {op} {y[1]})"
        if rng.random() < 0.3:
            op = rng.choice(["==", "<>"])
        x, y = self.integer(2), self.integer(2)
        return f"({x[0]} {op} {y[0]})", f"({x[1]} {op.replace('<>', '!=')} {y[1]})"

    def index(self):
        """Mostly in range; now and then anywhere."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            number = str(rng.randrange(1, 5))
            return number, number
        x = self.integer(2)
        if kind < 0.97:
            return f"(1 + mod({x[0]}, 4))", f"(1 + mod({x[1]}, 4))"
        return f"(i1 + {x[0]})", f"(i1 + {x[1]})"  # not known before the run: that would be an error, reached or not

    # -- statements

    def line(self, depth, modelica, python):
        pad = "  " * (depth + 1)
        if modelica:
            self.modelica.append(pad + modelica)
        if python:
            self.python.append("    " * (depth + 1) + python)

    def statements(self, depth, in_loop):
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth, in_loop)

    def statement(self, depth, in_loop):
        rng = self.rng
        kind = rng.random()
        deep = depth >= self.max_depth
        if kind < 0.4 or deep and kind < 0.8:
            self.assignment(depth)
        elif kind < 0.6 and not deep:
            self.branch(depth, in_loop)
        elif kind < 0.75 and not deep and self.num_loops < 4:
            self.for_loop(depth)
        elif kind < 0.87 and not deep and self.num_loops < 4:
            self.while_loop(depth)
        elif kind < 0.93 and in_loop:
            c = self.condition(1)
            self.line(depth, f"if {c[0]} then", f"if {c[1]}:")
            self.line(depth + 1, "break;", "break")
            self.line(depth, "end if;", "")
        else:
            c = self.condition(1)
            self.line(depth, f"if {c[0]} then", f"if {c[1]}:")
            self.line(depth + 1, "return;", "return y")
            self.line(depth, "end if;", "")

    def assignment(self, depth):
        rng = self.rng
        kind = rng.random()
        if kind < 0.2:
            name, value = rng.choice(["i1", "i2"]), self.integer()
            # Kept small: Integers that grow without end are another subject.
            self.line(depth, f"{name} := rem({value[0]}, 1000);", f"{name} = rem({value[1]}, 1000)")
        elif kind < 0.4:
            index, value = self.index(), self.real()
            self.line(depth, f"w[{index[0]}] := {self.tame(value)[0]};", f"put(w, {index[1]}, {self.tame(value)[1]})")
        else:
            name, value = rng.choice(["a", "b", "y", "y"]), self.tame(self.real())
            self.line(depth, f"{name} := {value[0]};", f"{name} = {value[1]}")

    def tame(self, value):
        """Of a size that stays finite in loops."""
        return f"mod({value[0]}, 64.0)", f"mod(float({value[1]}), 64.0)"

    def branch(self, depth, in_loop):
        c = self.condition()
        self.line(depth, f"if {c[0]} then", f"if {c[1]}:")
        self.statements(depth + 1, in_loop)
        if self.rng.random() < 0.4:
            c = self.condition()
            self.line(depth, f"elseif {c[0]} then", f"elif {c[1]}:")
            self.statements(depth + 1, in_loop)
        if self.rng.random() < 0.6:
            self.line(depth, "else", "else:")
            self.statements(depth + 1, in_loop)
        self.line(depth, "end if;", "")

    def for_loop(self, depth):
        rng = self.rng
        self.num_loops += 1
        name = f"j{self.num_loops}"
        kind = rng.random()
        if kind < 0.4:
            last = str(rng.randrange(0, 5))
            modelica, python = f"1:{last}", f"range(1, {last} + 1)"
        elif kind < 0.6:
            first, step = rng.randrange(3, 7), rng.choice([-1, -2])
            modelica, python = f"{first}:{step}:1", f"range({first}, 0, {step})"
        else:
            x = self.integer(2)
            modelica, python = f"1:mod({x[0]}, 5)", f"range(1, mod({x[1]}, 5) + 1)"
        self.line(depth, f"for {name} in {modelica} loop", f"for {name} in {python}:")
        self.line(depth + 1, "", "budget.step()")
        self.loop_ints.append(name)
        self.statements(depth + 1, True)
        self.loop_ints.pop()
        self.line(depth, "end for;", "")

    def while_loop(self, depth):
        self.num_loops += 1
        name = f"n{self.num_loops}"
        c = self.condition(1)
        last = self.rng.randrange(1, 6)
        self.line(depth, f"{name} := 0;", f"{name} = 0")
        self.line(depth, f"while {name} < {last} and {c[0]} loop", f"while {name} < {last} and {c[1]}:")
        self.line(depth + 1, f"{name} := {name} + 1;", f"{name} += 1; budget.step()")
        self.loop_ints.append(name)
        self.statements(depth + 1, True)
        self.loop_ints.pop()
        self.line(depth, "end while;", "")

    def write(self):
        self.statements(0, False)
        self.statements(0, False)
        y = self.tame(self.real(1))
        self.line(0, f"y := y + {y[0]};", f"y = y + {y[1]}")
        counters = "".join(f"  Integer n{j} = 0;\n" for j in range(1, self.num_loops + 1))
        modelica = (f"function {self.name}\n  input Real u;\n  input Real v;\n  input Integer k;\n  output Real y = 0;\n"
                    f"protected\n  Real a = u;\n  Real b = 0.5;\n  Integer i1 = k;\n  Integer i2 = 1;\n"
                    f"  Real w[4] = {{u, v, 1.5, 0.25}};\n{counters}algorithm\n" + "\n".join(self.modelica) + f"\nend {self.name};\n")
        python = (f"def {self.name}(u, v, k, budget):\n    budget.step()\n    y = 0.0; a = u; b = 0.5; i1 = k; i2 = 1\n"
                  f"    w = [u, v, 1.5, 0.25]\n" + "".join(f"    n{j} = 0\n" for j in range(1, self.num_loops + 1)) +
                  "\n".join(self.python) + "\n    return y\n")
        return modelica, python


class Case:
    def __init__(self, rng, number):
        callees, self.modelica, self.python = [], "", ""
        for depth in range(rng.choice([1, 1, 2])):
            name = f"f{number}_{depth}"
            modelica, python = Writer(rng, name, list(callees)).write()
            callees.append(name)
            self.modelica += modelica
            self.python += python
        self.function = callees[-1]
        self.arguments = (rng.choice([0.25, -0.75, 1.5, 2.0, -3.5]), rng.choice([0.5, 1.25, -2.0]), rng.randrange(-4, 8))

    def expected(self):
        """The number, or None if there is none; TooLong if it is not judged."""
        names = {"math": math, "div": div, "mod": mod, "rem": rem, "at": at, "put": put, "quotient": quotient}
        exec(self.python, names)
        try:
            value = names[self.function](*self.arguments, Budget())
        except (Undefined, OverflowError, ValueError):
            return None
        return value if math.isfinite(value) else None


def model_of(cases, form):
    text = "".join(case.modelica for case in cases) + "model M\n"
    body = ""
    for number, case in enumerate(cases):
        u, v, k = case.arguments
        if form == "literal":
            text += f"  Real y{number} = {case.function}({u}, {v}, {k});\n"
        elif form == "parameter":
            text += (f"  parameter Real u{number} = {u}, v{number} = {v};\n  parameter Integer k{number} = {k};\n"
                     f"  Real y{number} = {case.function}(u{number}, v{number}, k{number});\n")
        else:
            text += (f"  Real u{number}(start = {u}, fixed = true), v{number}(start = {v}, fixed = true);\n"
                     f"  Real q{number}(start = {k} + 0.5, fixed = true);\n"
                     f"  Real y{number} = {case.function}(u{number}, v{number}, integer(q{number}));\n")
            body += f"  der(u{number}) = 0;\n  der(v{number}) = 0;\n  der(q{number}) = 0;\n"
    return text + ("equation\n" + body if body else "") + "end M;\n"


def run(tool, text, solver, folder):
    file = folder / "m.mo"
    file.write_text(text)
    try:
        done = subprocess.run([tool, "simulate", str(file), "M", "--solver", solver, "--points", "2", "--output", "-", "--stop", "0.5"],
                              capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "no end", {}
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    return done.returncode, {name: float(value) for name, value in (rows[-1] if rows else {}).items()}, done.stderr


def judge(tool, cases, values, form, solver, folder):
    """What is wrong with the cases, each by itself if they cannot be run together."""
    text = model_of(cases, form)
    status, *rest = run(tool, text, solver, folder)
    found = rest[0] if rest else {}
    is_right = status == 0 and all(
        values[j] is not None and abs(found.get(f"y{j}", math.nan) - values[j]) <= 1e-9 * max(1, abs(values[j])) for j in range(len(cases)))
    if is_right:
        return []
    if len(cases) > 1:
        return [fault for j in range(len(cases)) for fault in judge(tool, [cases[j]], [values[j]], form, solver, folder)]
    if values[0] is None and status in (1, 3):
        return []
    message = rest[1] if len(rest) > 1 else ""
    if status == 1 and "[not-for-taylor]" in message:  # said, not silent: docs/design/testing.md
        REFUSED.append(form)
        return []
    return [f"{form}, {solver}: status {status}, y = {found.get('y0')}, expected {values[0]}\n{message}{text}"]


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    faults, judged, undefined, number = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        while judged < count:
            cases, values = [], []
            while len(cases) < min(PER_MODEL, count - judged):
                case = Case(rng, number)
                number += 1
                try:
                    value = case.expected()
                except TooLong:
                    continue
                if value is None:  # it would hide the others
                    undefined += 1
                    for form in "literal", "state":
                        faults += judge(tool, [case], [None], form, "auto", Path(name))
                    continue
                cases.append(case)
                values.append(value)
            for form, solver in ("literal", "auto"), ("parameter", "auto"), ("state", "auto"), ("state", "ida"):
                faults += judge(tool, cases, values, form, solver, Path(name))
            judged += len(cases)
    for fault in faults:
        print(fault)
    print(f"{judged} functions with a value, {undefined} without, seed {seed}: {len(REFUSED)} refused, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
