"""Random initial-value problems: states, constraints between them, algebraic equations, start values for some.

A true point is drawn first and the equations are made such that it satisfies them. Claims, with the texts of the equations
evaluated by Python as oracle:
  - what `init` finds satisfies all equations without derivatives, its bounds and its fixed values,
  - start values that agree with each other come back unchanged, whatever the roots of what nobody gave are,
  - `simulate` by auto and by ida begins with the same values, and where `init` finds nothing, with none.

  python3 test/fuzz/random_starts.py TOOL [COUNT [SEED]]
"""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

FUNCTIONS = {"sin": math.sin, "cos": math.cos, "exp": math.exp, "tanh": math.tanh, "atan": math.atan}
SHARES = ((0.35, "name"), (0.45, "number"), (0.6, "+"), (0.72, "*"), (0.8, "-"), (0.9, "function"), (0.95, "exp"), (1.1, "square"))


def term(r, names, depth=0):
    drawn = r.random()
    kind = "name" if depth > 2 else next(k for share, k in SHARES if drawn < share)
    if kind == "name":
        return r.choice(names)
    if kind == "number":
        return f"({r.uniform(-3, 3):.3g})"
    if kind == "function":
        return f"{r.choice(['sin', 'cos', 'tanh', 'atan'])}({term(r, names, depth + 1)})"
    if kind == "exp":
        return f"exp(0.3*{r.choice(names)})"
    if kind == "square":
        return f"({r.choice(names)})^2"
    return f"({term(r, names, depth + 1)}{kind}{term(r, names, depth + 1)})"


def value(text, at):
    return eval(text.replace("^", "**"), FUNCTIONS, at)  # our own text


class Problem:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.states = [f"s{k}" for k in range(r.randint(1, 4))]
        self.algebraic = [f"a{k}" for k in range(r.randint(0, 3))]
        self.names = self.states + self.algebraic
        self.true = {name: r.uniform(-2, 2) for name in self.names}
        num_constraints = r.randint(0, len(self.states) - 1) if r.random() < 0.5 else 0
        self.free = self.states[num_constraints:]
        self.forces = [f"l{k}" for k in range(num_constraints)]
        self.is_consistent = r.random() < 0.4
        self.known, self.equations = [], []
        self.make_equations()
        self.given, self.fixed, self.bounds = {}, {}, {}
        self.declarations = [self.declaration(name) for name in self.names] + [f"Real {name};" for name in self.forces]

    def require(self, side):
        at_true = value(side, self.true)
        self.known.append((side, at_true))
        self.equations.append(f"{side} = ({at_true!r});")

    def make_equations(self):
        r = self.random
        for name in self.algebraic:
            self.require(f"{r.uniform(0.5, 3):.3g}*{name}+({r.uniform(-0.4, 0.4):.3g})*{term(r, self.names)}")
        for k in range(len(self.forces)):
            bent = f"{r.choice(['sin', 'tanh', 'atan'])}({r.choice(self.free)})"
            self.require(f"{r.uniform(0.8, 2):.3g}*{self.states[k]}+({r.uniform(-0.7, 0.7):.3g})*{bent}"
                         f"+({r.uniform(-0.3, 0.3):.3g})*({r.choice(self.states)})^2")
        for k, name in enumerate(self.states):
            pushes = "".join(f"+({r.uniform(-1, 1):.3g})*{force}" for force in self.forces)
            own = f"+{self.forces[k]}*3" if k < len(self.forces) else ""
            self.equations.append(f"der({name}) = {term(r, self.names)}{pushes}{own};")

    def declaration(self, name):
        r, at, attributes = self.random, self.true[name], []
        guess = at if self.is_consistent else at + r.gauss(0, r.choice([0.01, 0.3, 1]))
        if r.random() < 0.65:
            self.given[name] = guess
            attributes.append(f"start={guess!r}")
            if name in self.free and r.random() < 0.2:
                self.fixed[name] = guess
                attributes.append("fixed=true")
        if r.random() < 0.15:
            low, high = at - r.uniform(0.05, 2), at + r.uniform(0.05, 2)
            if name in self.fixed:
                low, high = min(low, guess), max(high, guess)
            self.bounds[name] = (low, high)
            attributes += [f"min={low!r}", f"max={high!r}"]
        if r.random() < 0.2:
            attributes.append(f"nominal={10.0 ** r.randint(-3, 3)}")
        return f"Real {name}({', '.join(attributes)});" if attributes else f"Real {name};"

    def text(self):
        return "\n".join(["model m", *self.declarations, "equation", *self.equations, "end m;", ""])

    def faults_of(self, point):
        size = max(abs(point[name]) for name in self.names)
        if size > 1e9:
            return [f"far away: {point}"]
        faults = []
        for side, wanted in self.known:
            if abs(value(side, point) - wanted) > 1e-7 * (1 + abs(wanted) + size * size):
                faults.append(f"{side} is not {wanted}")
        for name, (low, high) in self.bounds.items():
            if not low - 1e-9 <= point[name] <= high + 1e-9:
                faults.append(f"{name} = {point[name]} is outside of {low} to {high}")
        kept = self.given if self.is_consistent else self.fixed
        faults += [f"{name} = {wanted} became {point[name]}" for name, wanted in kept.items()
                   if abs(point[name] - wanted) > 1e-9 * max(1, abs(wanted))]
        return faults


def run(tool, *words):
    try:
        return subprocess.run([tool, *words], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, -9, "", "no end after 60 s")


def compare(tool, path, found, point, solvers=("auto", "ida")):
    faults = []
    for solver in solvers:
        result = run(tool, "simulate", path, "--solver", solver, "--output", "-", "--stop", "1e-7", "--points", "2")
        if (result.returncode == 0) != (found.returncode == 0) and "cannot start here" not in found.stderr:
            faults.append(f"{solver} ends with {result.returncode}, init with {found.returncode}: {result.stderr[-200:]}")
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        for name, wanted in point.items() if rows else ():
            if abs(float(rows[0][name]) - wanted) > 1e-7 * max(1, abs(wanted)):
                faults.append(f"{solver} begins with {name} = {rows[0][name]}, init finds {wanted}")
    return faults


def judge(tool, path, problem):
    with open(path, "w") as handle:
        handle.write(problem.text())
    found = run(tool, "init", path, "--format", "json")
    point, faults = {}, []
    if found.returncode == 0:
        point = {name: values[0] for name, values in json.loads(found.stdout)["values"].items()}
        faults = problem.faults_of(point)
    elif found.returncode != 3:
        faults = [f"init ends with {found.returncode}: {found.stderr[:200]}"]
    elif problem.is_consistent and "singular" not in found.stderr:
        faults = [f"start values that agree have no point: {found.stderr[:200]}"]
    return found.returncode, faults + compare(tool, path, found, point)


def main():
    tool = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    num_found = num_faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(seed, seed + count):
            problem = Problem(k)
            status, faults = judge(tool, os.path.join(folder, "m.mo"), problem)
            num_found += status == 0
            if faults:
                num_faults += 1
                print(f"seed {k}:", *faults, problem.text(), sep="\n  ")
    print(f"{count} starts with seeds from {seed}: {num_found} found, {num_faults} faults")
    return 1 if num_faults else 0


if __name__ == "__main__":
    sys.exit(main())
