"""Pulses, layers and ends: what lies between the places at which a method looks.

    pulse_models.py HYDAE [COUNT] [SEED]

Each model has closed forms: integrals of narrow pulses (Gaussian, Lorentzian, the square of sech, two
steps of tanh, a comb of Gaussians) of time or of a state, alone, beside an oscillator, beside a stiff
state, or both; guards that are such pulses, which must switch twice for each; layers of stiff states;
solutions that end (a pole, a root that is reached with an infinite slope), where the run must stop
with status 3 at their end (or, at a cube root, go on as that does). All solvers at a tolerance drawn anew. A failing model is printed with its
seed.
"""
import csv
import math
import os
import random
import subprocess
import sys
import tempfile

ALLOWED = 100      # tolerances
END = 1e-3         # relative: a run that ends stops there
BEYOND = 0.05      # relative: of a solution that is taken through an infinite slope
TIME_LIMIT = 30    # seconds of one run of the tool


class Pulse:
    """A function of u, about one at `centre`, with its integral from 0."""

    def __init__(self, rng, centre, width):
        self.centre, self.width = centre, width
        self.text, self.primitive = rng.choice([self.gauss, self.lorentz, self.sech, self.steps])()

    def gauss(self):
        c, w = self.centre, self.width
        return (f"exp(-((U - {c!r})/{w!r})^2)",
                lambda u: w * math.sqrt(math.pi) / 2 * math.erf((u - c) / w))

    def lorentz(self):
        c, w = self.centre, self.width
        return f"1/(1 + ((U - {c!r})/{w!r})^2)", lambda u: w * math.atan((u - c) / w)

    def sech(self):
        c, w = self.centre, self.width
        return f"1/cosh((U - {c!r})/{w!r})^2", lambda u: w * math.tanh((u - c) / w)

    def steps(self):
        c, w = self.centre, self.width
        def log_cosh(v):
            return abs(v) + math.log1p(math.exp(-2 * abs(v))) - math.log(2)
        return (f"0.5*(tanh((U - {c - 4 * w!r})/{w!r}) - tanh((U - {c + 4 * w!r})/{w!r}))",
                lambda u: 0.5 * w * (log_cosh((u - c + 4 * w) / w) - log_cosh((u - c - 4 * w) / w)))

    def integral(self, end):
        return self.primitive(end) - self.primitive(0)


class Model:
    def __init__(self, rng):
        self.lines, self.equations, self.exact, self.ends_at = [], [], {}, None
        self.beyond = None  # the end value of y where the formula goes on behind the end
        self.stop = 1.0
        self.tolerance = rng.choice([1e-4, 1e-6, 1e-9])
        rng.choice([self.pulses, self.pulses, self.guard, self.layer, self.end])(rng)
        if self.ends_at is None:
            self.company(rng)

    def real(self, name, start, rate, exact=None):
        self.lines.append(f"  Real {name}(start = {start!r}, fixed = true);")
        self.equations.append(f"  der({name}) = {rate};")
        if exact is not None:
            self.exact[name] = exact

    # What the pulse is a function of: U = rate * time.
    def argument(self, rng):
        if rng.random() < 0.5:
            return "time", 1.0
        rate = round(rng.uniform(0.5, 2), 3)
        self.real("u", 0.0, repr(rate), rate * self.stop)
        return "u", rate

    def draw_pulses(self, rng):
        name, rate = self.argument(rng)
        centres = sorted(rng.sample([0.17, 0.31, 0.44, 0.58, 0.69, 0.83], rng.randint(1, 3)))
        width = 10 ** rng.uniform(-5, -2)
        return name, rate, [Pulse(rng, round(c * rate + rng.uniform(0, 0.01), 5), width) for c in centres]

    def pulses(self, rng):
        name, rate, pulses = self.draw_pulses(rng)
        weight = 1 / pulses[0].width
        rates = " + ".join(f"{weight!r}*({p.text})" for p in pulses).replace("U", name)
        self.real("x", 0.0, rates,
                  sum(weight * p.integral(rate * self.stop) / rate for p in pulses))

    def guard(self, rng):
        name, _, pulses = self.draw_pulses(rng)
        level = round(rng.uniform(0.2, 0.8), 3)
        sum_of_pulses = " + ".join(p.text for p in pulses).replace("U", name)
        self.lines.append("  discrete Real n(start = 0, fixed = true);")
        self.equations.append(f"  when {sum_of_pulses} > {level} then n = pre(n) + 1; end when;")
        self.exact["n"] = len(pulses)
        self.real("y", 1.0, "-y", math.exp(-self.stop))

    # y' = -k (y - cos t) from a point off the slow solution, and one whose slow solution has a step.
    def layer(self, rng):
        k = 10 ** rng.uniform(2, 7)
        start = round(rng.uniform(-2, 2), 3)
        slow = lambda t: (k * k * math.cos(t) + k * math.sin(t)) / (1 + k * k)
        self.real("y", start, f"-{k!r}*(y - cos(time))",
                  slow(self.stop) + (start - slow(0)) * math.exp(-k * self.stop))

    def end(self, rng):
        kind = rng.choice(["root", "pole", "tan", "cube"])
        y0, c = round(rng.uniform(0.5, 2), 3), round(rng.uniform(0.5, 3), 3)
        if kind == "root":
            self.real("y", y0, f"-1/({c!r}*y)")
            self.ends_at = c * y0 ** 2 / 2
        elif kind == "pole":
            self.real("y", y0, f"{c!r}*y^2")
            self.ends_at = 1 / (c * y0)
        elif kind == "tan":
            self.real("y", 0.0, f"{c!r}*(1 + y^2)")
            self.ends_at = math.pi / 2 / c
        else:
            self.real("y", y0, f"-{c!r}/y^2")
            self.ends_at = y0 ** 3 / (3 * c)
            self.beyond = -y0  # y = (y0^3 - 3 c t)^(1/3) at twice the time
        self.stop = 2 * self.ends_at

    def company(self, rng):
        kind = rng.choice(["none", "oscillator", "stiff", "both"])
        if kind in ("oscillator", "both"):
            self.real("p", 1.0, "-3*q", math.cos(3 * self.stop))
            self.real("q", 0.0, "3*p", math.sin(3 * self.stop))
        if kind in ("stiff", "both"):
            k = round(10 ** rng.uniform(3, 6))
            slow = lambda t: (k * k * math.cos(t) + k * math.sin(t)) / (1 + k * k)
            self.real("z", 1.0, f"-{k}*(z - cos(time))", slow(self.stop))

    def text(self):
        return "\n".join(["model M"] + self.lines + ["equation"] + self.equations +
                         [f"  annotation(experiment(StopTime = {self.stop!r}));", "end M;", ""])


def run_tool(hydae, file, solver, tolerance):
    """Exit status, last row by name, text of the error."""
    result = file + ".csv"
    if os.path.exists(result):
        os.remove(result)
    command = [hydae, "simulate", file, "--solver", solver, "--tolerance", repr(tolerance), "--points", "2",
               "--output", result, "--quiet"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return -1, {}, f"no end within {TIME_LIMIT} s"
    rows = []
    if os.path.exists(result):
        with open(result) as f:
            rows = list(csv.reader(f))
    last = dict(zip(rows[0], map(float, rows[-1]))) if len(rows) > 1 else {}
    return done.returncode, last, done.stderr.strip()


def judge(hydae, model, folder):
    file = os.path.join(folder, "m.mo")
    with open(file, "w") as f:
        f.write(model.text())
    complaints = []
    for solver in ("auto", "taylor", "ida"):
        status, last, message = run_tool(hydae, file, solver, model.tolerance)
        if model.ends_at is not None:
            time = last.get("time", math.nan)
            goes_on = model.beyond is not None and status == 0 and abs(last["y"] / model.beyond - 1) <= BEYOND
            if not goes_on and (status != 3 or not abs(time - model.ends_at) <= END * model.ends_at):
                complaints.append(f"{solver}: status {status} at {time!r}, must end at {model.ends_at!r}")
            continue
        if status != 0:
            complaints.append(f"{solver}: status {status}: {message}")
            continue
        for name, value in model.exact.items():
            allowed = ALLOWED * model.tolerance * (1 + abs(value)) if name != "n" else 0
            if not abs(last[name] - value) <= allowed:
                complaints.append(f"{solver} at {model.tolerance:g}: {name} = {last[name]:.9g}, must be {value:.9g}")
    return complaints


def main():
    hydae = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            model = Model(random.Random(f"{seed}/{k}"))
            complaints = judge(hydae, model, folder)
            if complaints:
                failed += 1
                print(f"seed {seed}/{k}:\n" + model.text() + "\n".join(complaints) + "\n", flush=True)
    print(f"{count} models with seed {seed}: {failed} wrong")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
