"""Random models: the Taylor method against BDF against an integrator that shares no code with them.

    solver_difference.py HYDAE [COUNT] [SEED]

The reference is an explicit Runge-Kutta pair of order 5(4) (Dormand and Prince 1980) with a step so
short that no feature of these models is passed, and bisection for the switches. A model is judged
only where its answer is well defined: the reference is run again from a start moved by 1e-7, and
what that moves at the end is the condition of the problem. A failing model is printed with its seed.
"""
import csv
import math
import os
import random
import sys
import tempfile

from tool_run import run_silently

TOLERANCE = 1e-6
ALLOWED = 1e3      # tolerances, times the condition of the problem
WORST_CONDITION = 1e3
SHIFT = 1e-7       # of the start, to measure the condition
LONGEST_STEP = 1 / 1500  # of the run, of the reference

FUNCTIONS = {name: getattr(math, name) for name in ("sin", "cos", "tanh", "atan", "sqrt", "log")}


def bounded_exp(u):
    return math.exp(min(u, 700.0))  # beyond, only its reciprocal is used


# --- models -----------------------------------------------------------------------------------------

class Model:
    """der(x_i) = rates[i], texts that are both Modelica and, with ** for ^, Python."""

    def __init__(self, rng, has_switch, unit):
        self.rng, self.unit = rng, unit
        self.size = rng.randint(1, 4)
        self.names = [f"x{i}" for i in range(self.size)]
        self.start = [round(rng.uniform(-1, 1), 3) for _ in self.names]
        self.stop = unit * rng.choice([1.0, 2.0, 4.0])
        self.switch = None
        if has_switch:
            name = rng.choice(self.names)
            self.switch = f"{name} - ({rng.uniform(-0.6, 0.6):.3f}) - 0.4*sin({rng.uniform(1, 6):.3f}*s)"
        self.rates = [self.rate(i) for i in range(self.size)]

    def rate(self, i):
        damping = f"-{self.rng.uniform(0.1, 2):.3f}*x{i}"
        terms = [damping] + [self.term() for _ in range(self.rng.randint(1, 3))]
        return " + ".join(terms)

    def argument(self):
        """A slowly changing quantity of size one."""
        rng = self.rng
        name = rng.choice(self.names + ["s", "s"])
        return f"({name} - ({rng.uniform(-1, 1.5):.3f}))"

    def term(self):
        rng, u = self.rng, self.argument()
        k = f"{10 ** rng.uniform(0, 2.3):.3f}"
        slow = f"{rng.uniform(0.3, 3):.3f}"
        return rng.choice([
            f"sin({slow}*{u})",
            f"cos({slow}*{u})*{rng.choice(self.names)}",
            f"tanh({k}*{u})",
            f"1/(1 + exp(-{k}*{u}))",
            f"exp(-({k}*{u})^2)",
            f"1/(1 + ({k}*{u})^2)",
            f"atan({k}*{u})",
            f"sqrt(1 + {u}^2)",
            f"log(2 + {u}^2)",
            f"{u}/(1 + {u}^2)",
        ])

    def text(self):
        lines = ["model M"]
        for name, value in zip(self.names, self.start):
            lines.append(f"  Real {name}(start = {value}, fixed = true);")
        lines.append(f"  Real s = time/{self.unit!r};")
        if self.switch:
            lines.append("  Real g;")
        lines.append("equation")
        for i, rate in enumerate(self.rates):
            switched = " + (if g > 0 then -0.8 else 0.6)" if self.switch and i == 0 else ""
            lines.append(f"  der(x{i}) = ({rate}{switched})/{self.unit!r};")
        if self.switch:
            lines.append(f"  g = {self.switch};")
        lines += [f"  annotation(experiment(StopTime = {self.stop!r}));", "end M;", ""]
        return "\n".join(lines)


# --- the reference ----------------------------------------------------------------------------------

NODES = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1)
ROWS = ((), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
ERROR = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


class Reference:
    """In units of time in which the model is of order one."""

    def __init__(self, model):
        scope = dict(FUNCTIONS, exp=bounded_exp)
        arguments = ", ".join(["s"] + model.names)
        body = ", ".join(model.rates).replace("^", "**")
        self.rates = eval(f"lambda {arguments}: [{body}]", scope)
        switch = (model.switch or "1").replace("^", "**")
        self.switch = eval(f"lambda {arguments}: {switch}", scope)
        self.has_switch = model.switch is not None
        self.stop = model.stop / model.unit

    def derivative(self, s, x, is_on):
        rates = self.rates(s, *x)
        if self.has_switch:
            rates[0] += -0.8 if is_on else 0.6
        return rates

    def step(self, s, x, h, is_on):
        stages = []
        for c, row in zip(NODES, ROWS):
            y = [v + h * sum(a * k[i] for a, k in zip(row, stages)) for i, v in enumerate(x)]
            stages.append(self.derivative(s + c * h, y, is_on))
        error = max(abs(h * sum(e * k[i] for e, k in zip(ERROR, stages))) for i in range(len(x)))
        return y, error

    def run(self, start):
        """End values, number of switches; None where it slides along the switch."""
        s, x, h = 0.0, list(start), self.stop * LONGEST_STEP
        is_on, switches = self.switch(0.0, *x) > 0, 0
        while s < self.stop:
            h = min(h, self.stop * LONGEST_STEP, self.stop - s)
            y, error = self.step(s, x, h, is_on)
            if error > 1e-11 and h > 1e-9:
                h *= max(0.2, 0.9 * (1e-11 / error) ** 0.2)
                continue
            if self.has_switch and (self.switch(s + h, *y) > 0) != is_on:
                h = self.locate(s, x, h, is_on)
                y, _ = self.step(s, x, h, is_on)
                is_on = not is_on
                switches += 1
                if self.slides(s + h, y, is_on):
                    return None
            s, x = s + h, y
            h *= 2 if error == 0 else min(2, 0.9 * (1e-11 / max(error, 1e-30)) ** 0.2)
            if self.stop - s < 1e-13 * self.stop:
                break
        return x, switches

    def locate(self, s, x, h, is_on):
        low, high = 0.0, h
        for _ in range(60):
            middle = (low + high) / 2
            y, _ = self.step(s, x, middle, is_on)
            if (self.switch(s + middle, *y) > 0) == is_on:
                low = middle
            else:
                high = middle
        return high

    def slides(self, s, x, is_on):
        y, _ = self.step(s, x, 1e-6, is_on)
        return (self.switch(s + 1e-6, *y) > 0) != is_on


# --- comparison -------------------------------------------------------------------------------------

def run_tool(hydae, file, solver):
    """Last row by name, events; a text if the run failed."""
    result = file + ".csv"
    command = [hydae, "simulate", file, "--solver", solver, "--tolerance", str(TOLERANCE), "--points", "2",
               "--output", result, "--quiet"]
    if fault := run_silently(command):
        return fault
    with open(result) as f:
        rows = list(csv.reader(f))
    return dict(zip(rows[0], map(float, rows[-1])))


def judge(hydae, model, folder):
    """A list of complaints; None if the answer is not well defined."""
    reference = Reference(model)
    exact = reference.run(model.start)
    shifted = reference.run([v + SHIFT for v in model.start])
    if exact is None or shifted is None or exact[1] != shifted[1]:
        return None
    condition = max(1.0, max(abs(a - b) for a, b in zip(exact[0], shifted[0])) / SHIFT)
    if condition > WORST_CONDITION:
        return None
    file = os.path.join(folder, "m.mo")
    with open(file, "w") as f:
        f.write(model.text())
    complaints = []
    for solver in ("taylor", "ida", "auto"):
        found = run_tool(hydae, file, solver)
        if isinstance(found, str):
            complaints.append(f"{solver}: {found}")
            continue
        for name, value in zip(model.names, exact[0]):
            allowed = ALLOWED * TOLERANCE * condition * (1 + abs(value))
            if not abs(found[name] - value) <= allowed:
                complaints.append(f"{solver}: {name} = {found[name]:.9g}, must be {value:.9g}")
    return complaints


def main():
    hydae = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    judged = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            rng = random.Random(f"{seed}/{k}")
            model = Model(rng, has_switch=k % 3 == 2, unit=rng.choice([1.0, 1.0, 1e-6, 1e4]))
            complaints = judge(hydae, model, folder)
            if complaints is None:
                continue
            judged += 1
            if complaints:
                failed += 1
                print(f"seed {seed}/{k}:\n" + model.text() + "\n".join(complaints) + "\n", flush=True)
    print(f"{count} models with seed {seed}: {judged} judged, {failed} wrong")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
