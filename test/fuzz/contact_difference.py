"""Random models with contact(), against an integrator of its own.

    contact_difference.py HYDAE [COUNT] [SEED]

Switches: x' = A x + B l + u(t), w = C x + D l + q(t), 0 <= w, 0 <= l, one of each pair zero. With a
D of positive definite symmetric part the forces l set the gaps w at once; with D = 0 and B = C'
through one derivative, so that a jump of q makes the states jump. Balls: masses on a line with
springs, weights and walls, with restitutions of 0, 0.5 and 1 by Newton's law.

Sources are sines and a switch that is a tick, a when-clause of time, or a pulse by mod(). Contacts are
contact(), of switches also with gap and force exchanged, or 0 = min(w, l). Time and lengths come in units from nano to mega.

The oracle tries all combinations of closed contacts, integrates by Runge and Kutta's method of order
four in short steps and finds events by bisection. A model is judged only where its answer is well defined:
events apart from each other and from ticks, no quantity that is nearly zero where it decides.
"""
import csv
import itertools
import os
import random
import subprocess
import sys
import tempfile

from form_difference import NotDefined, solve_small

STEPS = 2000       # of the reference
POINTS = 21
SHORTEST_GAP = 4e-3  # between events, of the run
CLEAR = 1e-3       # what decides is larger than this
ALLOWED = 1000     # tolerances
TIME_LIMIT = 30
RUNS = [("auto", 1e-6), ("taylor", 1e-6), ("ida", 1e-6), ("auto", 1e-4), ("taylor", 1e-9), ("ida", 1e-9), ("ida", 1e-4)]
UNITS = (1, 1, 1, 1e-3, 1e3, 1e-6, 1e6, 1e-9)


def solve_lcp(M, q):
    """z >= 0, M z + q >= 0, one of each pair zero; by trying all. NotDefined: more than one, or one that is nearly another."""
    n, found = len(q), []
    for closed in itertools.product((False, True), repeat=n):
        I = [i for i in range(n) if closed[i]]
        try:
            part = solve_small([[M[i][j] for j in I] for i in I], [-q[i] for i in I]) if I else []
        except NotDefined:
            continue
        z = [0.0] * n
        for i, value in zip(I, part):
            z[i] = value
        w = [q[i] + sum(M[i][j] * z[j] for j in range(n)) for i in range(n)]
        if all(v >= -1e-12 for v in z) and all(w[i] >= -1e-12 for i in range(n) if not closed[i]):
            found.append((z, w))
    if not found:
        raise NotDefined("no combination agrees")
    return found[0]


def product(M, v):
    return [sum(a * b for a, b in zip(row, v)) for row in M]


def plus(*vectors):
    return [sum(v) for v in zip(*vectors)]


def times(factor, v):
    return [factor * a for a in v]


class Source:
    """Between 0 and 1, from tick to tick or as a pulse."""

    def __init__(self, rng, stop):
        self.kind = rng.choice(("tick", "when", "pulse", "none"))
        self.period = stop * rng.choice((0.25, 0.3125, 0.2))
        self.duty = rng.choice((0.25, 0.5, 0.625))
        self.low, self.high = rng.uniform(-1, 0), rng.uniform(0.5, 1.5)

    def changes(self, stop):
        """(time, value behind it)"""
        list_ = [(0.0, self.low if self.kind != "pulse" else self.high)]
        k = 0
        while self.kind != "none":
            k += 1
            if self.kind == "pulse":
                list_.append(((k - 1 + self.duty) * self.period, self.low))
                list_.append((k * self.period, self.high))
            else:
                list_.append((k * self.period, self.high if k % 2 else self.low))
            if list_[-1][0] > stop:
                break
        return [c for c in list_ if c[0] <= stop]

    def text(self, unit):
        low, high, T = repr(self.low), repr(self.high), repr(self.period * unit)
        if self.kind == "pulse":
            return f"Boolean on = mod(time, {T}) < {self.duty * self.period * unit!r}; Real p;", f"p = if on then {high} else {low};"
        if self.kind == "none":
            return "Real p;", f"p = {low};"
        when = f"sample({T}, {T})" if self.kind == "tick" else f"time >= pre(next)"
        more = "" if self.kind == "tick" else f" next = pre(next) + {T};"
        declared = "" if self.kind == "tick" else f" discrete Real next(start = {T}, fixed = true);"
        return (f"Boolean on(start = false, fixed = true); Integer n(start = 0, fixed = true); Real p;{declared}",
                f"when {when} then on = not pre(on); n = pre(n) + 1;{more} end when; p = if on then {high} else {low};")


class Run:
    """What an oracle does in common: steps, and events by bisection. States and all else in units of one."""

    def begin(self, stop, source):
        self.stop, self.source, self.events, self.p = stop, source, [], 0.0

    def integrate(self):
        changes = self.source.changes(self.stop)
        stops = sorted({c[0] for c in changes} | {self.stop * k / (POINTS - 1) for k in range(POINTS)})
        grid = [self.stop * k / (POINTS - 1) for k in range(POINTS)]
        rows, t = [], 0.0
        for end in stops:
            while end - t > 1e-14:
                t = self.advance(t, min(self.stop / STEPS, end - t))
            t = end
            if end in grid:
                rows.append((t, self.row()))
            for at, value in changes:
                if at == end:
                    self.p = value
                    if any(abs(e - at) < SHORTEST_GAP * self.stop for e in self.events):
                        raise NotDefined("an event beside a tick")
                    self.settle(t)
                    self.ticks = self.ticks + [at]
        for e in self.events:
            if any(0 < abs(e - f) < SHORTEST_GAP * self.stop for f in self.events + self.ticks):
                raise NotDefined("events close together")
        return rows

    def step(self, t, x, h):
        k1 = self.rate(t, x)
        k2 = self.rate(t + h / 2, plus(x, times(h / 2, k1)))
        k3 = self.rate(t + h / 2, plus(x, times(h / 2, k2)))
        k4 = self.rate(t + h, plus(x, times(h, k3)))
        return plus(x, times(h / 6, plus(k1, times(2, plus(k2, k3)), k4)))

    def advance(self, t, h):
        y = self.step(t, self.x, h)
        crossed = [e for e in self.exits() if e(t + h, y) < 0]
        if not crossed:
            self.x = y
            return t + h
        def is_out(s):
            z = self.step(t, self.x, s)
            return any(e(t + s, z) < 0 for e in crossed)
        low, high = 0.0, h
        for _ in range(50):
            middle = (low + high) / 2
            if is_out(middle):
                high = middle
            else:
                low = middle
        self.x = self.step(t, self.x, high)
        self.events.append(t + high)
        if len(self.events) > 60:
            raise NotDefined("many events")
        self.settle(t + high)
        return t + high


class Switches(Run):
    def __init__(self, rng):
        self.rng = rng
        n, m = rng.randint(2, 3), rng.randint(1, 3)
        self.degree = rng.choice((0, 1))
        if self.degree == 1:
            m = min(m, n)
        self.n, self.m = n, m
        r = lambda: round(rng.uniform(-1, 1), 3)
        self.A = [[r() - (1.5 if i == j else 0) for j in range(n)] for i in range(n)]
        self.C = [[r() for _ in range(n)] for _ in range(m)]
        if self.degree == 1:
            for i in range(m):
                self.C[i][i] += 1.5
        self.B = [[self.C[j][i] if self.degree == 1 else r() for j in range(m)] for i in range(n)]
        G = [[r() + (1 if i == j else 0) for j in range(m)] for i in range(m)]
        self.D = [[0.0] * m for _ in range(m)] if self.degree == 1 else \
            [[sum(G[i][k] * G[j][k] for k in range(m)) + (0.3 if i == j else 0) for j in range(m)] for i in range(m)]
        self.u = [(round(2 * r(), 3), round(rng.uniform(1, 5), 3), r(), r()) for _ in range(n)]
        self.q = [(round(2 * r(), 3), round(rng.uniform(1, 5), 3), r(), r()) for _ in range(m)]
        self.x = [r() for _ in range(n)]
        self.start = list(self.x)
        self.begin(rng.choice((2.0, 4.0)), Source(rng, 2.0))
        self.ticks = []
        self.closed = [False] * m
        self.unit, self.size = rng.choice(UNITS), rng.choice(UNITS)
        self.p = self.source.changes(self.stop)[0][1]
        self.starts_inside = self.degree == 1 and min(self.gaps(0.0, self.x)) < 0

    def row(self):
        return list(self.x)

    def sine(self, s, t, order=0):
        from math import cos, sin
        a, w, phase, _ = s
        return a * sin(w * t + phase) if order == 0 else a * w * cos(w * t + phase)

    def offset(self, t):
        return [self.sine(s, t) + 0.5 + s[3] * self.p for s in self.q]

    def free_rate(self, t, x):
        return plus(product(self.A, x), [self.sine(s, t) + s[3] * self.p for s in self.u])

    def forces(self, t, x):
        if self.degree == 0:
            return solve_lcp(self.D, plus(product(self.C, x), self.offset(t)))[0]
        I = [i for i in range(self.m) if self.closed[i]]
        if not I:
            return [0.0] * self.m
        rates = plus(product(self.C, self.free_rate(t, x)), [self.sine(s, t, 1) for s in self.q])
        CB = self.CB()
        part = solve_small([[CB[i][j] for j in I] for i in I], [-rates[i] for i in I])
        l = [0.0] * self.m
        for i, value in zip(I, part):
            l[i] = value
        return l

    def CB(self):
        return [[sum(self.C[i][k] * self.B[k][j] for k in range(self.n)) for j in range(self.m)] for i in range(self.m)]

    def gaps(self, t, x):
        return plus(product(self.C, x), self.offset(t))

    def rate(self, t, x):
        return plus(self.free_rate(t, x), product(self.B, self.forces(t, x)))

    def exits(self):
        if self.degree == 0:
            return []
        return [(lambda t, x, i=i: self.forces(t, x)[i]) if self.closed[i] else (lambda t, x, i=i: self.gaps(t, x)[i])
                for i in range(self.m)]

    def settle(self, t):
        if self.degree == 0:
            return
        w = self.gaps(t, self.x)
        if any(w[i] < -1e-9 for i in range(self.m)):  # what q has jumped by
            impulses, after = solve_lcp(self.CB(), w)
            if any(0 < v < CLEAR for v in impulses + after):
                raise NotDefined("hardly an impulse")
            self.x = plus(self.x, product(self.B, impulses))
            w = self.gaps(t, self.x)
        touching = [i for i in range(self.m) if w[i] < 1e-9]
        if any(1e-9 < v < CLEAR for v in w):
            raise NotDefined("a gap nearly closed")
        rates = plus(product(self.C, self.free_rate(t, self.x)), [self.sine(s, t, 1) for s in self.q])
        CB = self.CB()
        l, v = solve_lcp([[CB[i][j] for j in touching] for i in touching], [rates[i] for i in touching])
        self.closed = [False] * self.m
        for i, force, speed in zip(touching, l, v):
            if max(force, speed) < CLEAR:
                raise NotDefined("a contact that hardly decides")
            self.closed[i] = force > speed

    def text(self, form):
        T, L, n, m = self.unit, self.size, self.n, self.m
        declared, first = self.source.text(T)
        equations = [first]
        time = f"time/{T!r}" if T != 1 else "time"
        sine = lambda s: f"({s[0]})*sin({s[1]}*{time} + ({s[2]}))"
        for i in range(n):
            terms = [f"({a})*x{j}" for j, a in enumerate(self.A[i])] + [f"({b})*l{j}" for j, b in enumerate(self.B[i])]
            equations.append(f"{T!r}*der(x{i}) = " + " + ".join(terms) + f" + {L!r}*({sine(self.u[i])} + ({self.u[i][3]})*p);")
        for i in range(m):
            terms = [f"({c})*x{j}" for j, c in enumerate(self.C[i])] + [f"({d!r})*l{j}" for j, d in enumerate(self.D[i]) if d]
            equations.append(f"w{i} = " + " + ".join(terms) + f" + {L!r}*({sine(self.q[i])} + 0.5 + ({self.q[i][3]})*p);")
            # Gap and force may change places. A start inside has no solution with min().
            complementarity = (f"contact(w{i}, l{i});", f"contact(l{i}, w{i});", f"0 = min(w{i}, l{i});")
            equations.append(complementarity[1 if form == 2 and self.starts_inside else form])
        self.rng.shuffle(equations)
        states = ", ".join(f"x{i}(start = {v * L!r}, fixed = true)" for i, v in enumerate(self.start))
        rest = ", ".join([f"w{i}" for i in range(m)] + [f"l{i}" for i in range(m)])
        return f"model M\n  Real {states}, {rest};\n  {declared}\nequation\n  " + "\n  ".join(equations) + "\nend M;\n"


class Balls(Run):
    """Masses on a line above a floor, each with the next one as a wall; x is positions, then speeds."""

    def __init__(self, rng):
        self.rng = rng
        self.m = m = rng.randint(1, 3)
        self.mass = [round(rng.uniform(0.5, 2), 3) for _ in range(m)]
        self.e = [rng.choice((0, 0.5, 1)) for _ in range(m)]
        self.stiffness = [round(rng.uniform(0, 3), 3) for _ in range(m)]
        self.push = [(round(rng.uniform(0.2, 2), 3), round(rng.uniform(1, 4), 3), round(rng.uniform(0, 6), 3), round(rng.uniform(-1, 1), 3)) for _ in range(m)]
        self.start = [round(0.5 + k + rng.uniform(-0.3, 0.3), 3) for k in range(m)] + [round(rng.uniform(-1, 1), 3) for _ in range(m)]
        self.x = list(self.start)
        self.begin(3.0, Source(rng, 3.0))
        self.ticks = []
        self.closed = [False] * m
        self.unit, self.size = rng.choice(UNITS), rng.choice(UNITS)

    def row(self):
        return list(self.x)

    def gaps(self, x):
        return [x[0]] + [x[k] - x[k - 1] for k in range(1, self.m)]

    def free(self, t, x):
        from math import sin
        return [(a * sin(w * t + phase) - 1 - self.stiffness[k] * (x[k] - k) + d * self.p) / self.mass[k]
                for k, (a, w, phase, d) in enumerate(self.push)]

    def W(self):
        m = self.m
        J = [[1.0 if j == k else -1.0 if j == k - 1 else 0.0 for j in range(m)] for k in range(m)]
        return [[sum(J[i][j] * J[k][j] / self.mass[j] for j in range(m)) for k in range(m)] for i in range(m)]

    def spread(self, l):
        """Of forces of contacts on the masses."""
        return [(l[k] - (l[k + 1] if k + 1 < self.m else 0.0)) / self.mass[k] for k in range(self.m)]

    def forces(self, t, x):
        I = [i for i in range(self.m) if self.closed[i]]
        if not I:
            return [0.0] * self.m
        W, a = self.W(), self.gaps(self.free(t, x))
        part = solve_small([[W[i][j] for j in I] for i in I], [-a[i] for i in I])
        l = [0.0] * self.m
        for i, value in zip(I, part):
            l[i] = value
        return l

    def rate(self, t, x):
        return x[self.m:] + plus(self.free(t, x), self.spread(self.forces(t, x)))

    def exits(self):
        return [(lambda t, x, i=i: self.forces(t, x)[i]) if self.closed[i] else (lambda t, x, i=i: self.gaps(x)[i])
                for i in range(self.m)]

    def settle(self, t):
        m, W = self.m, self.W()
        gaps, speeds = self.gaps(self.x), self.gaps(self.x[m:])
        if any(1e-9 < v < CLEAR for v in gaps):
            raise NotDefined("a gap nearly closed")
        I = [i for i in range(m) if gaps[i] < 1e-9]
        WI = [[W[i][j] for j in I] for i in I]
        if any(1e-9 < abs(speeds[i]) < CLEAR for i in I):
            raise NotDefined("a slow impact")
        if any(speeds[i] < -1e-9 for i in I):
            impulses, _ = solve_lcp(WI, [speeds[i] + self.e[i] * min(speeds[i], 0) for i in I])
            l = [0.0] * m
            for i, value in zip(I, impulses):
                l[i] = value
            # Newton's law must not gain energy, or another law is used.
            after = plus(self.x[m:], self.spread(l))
            energy = lambda v: sum(a * b * b for a, b in zip(self.mass, v))
            if energy(after) > energy(self.x[m:]) * (1 + 1e-9):
                raise NotDefined("Newton's law gains energy")
            self.x = self.x[:m] + after
            speeds = self.gaps(after)
        if any(1e-9 < abs(speeds[i]) < CLEAR for i in I):
            raise NotDefined("a slow rebound")
        self.closed = [False] * m
        I = [i for i in I if speeds[i] <= 1e-9]
        a = self.gaps(self.free(t, self.x))
        l, v = solve_lcp([[W[i][j] for j in I] for i in I], [a[i] for i in I])
        for i, force, away in zip(I, l, v):
            if max(force, away) < CLEAR:
                raise NotDefined("a contact that hardly decides")
            self.closed[i] = force > away

    def text(self, form):
        T, L, m = self.unit, self.size, self.m
        declared, first = self.source.text(T)
        equations = [first]
        time = f"time/{T!r}" if T != 1 else "time"
        for k, (a, w, phase, d) in enumerate(self.push):
            force = f"l{k}" + (f" - l{k + 1}" if k + 1 < m else "")
            equations.append(f"{T!r}*der(x{k}) = x{k + m};")
            equations.append(f"{self.mass[k]*T!r}*der(x{k + m}) = {L!r}*({a}*sin({w}*{time} + {phase}) - 1 + ({d})*p) - {self.stiffness[k]}*(x{k} - {k * L!r}) + {force};")
            gap = f"x{k}" if k == 0 else f"x{k} - x{k - 1}"
            if form == 0:
                equations.append(f"contact({gap}, l{k}, {self.e[k]});")
            else:
                equations.append(f"g{k} = {gap}; contact(g{k}, l{k}, restitution = {self.e[k]}, law = \"newton\");")
        self.rng.shuffle(equations)
        states = ", ".join(f"x{i}(start = {v * L!r}, fixed = true)" for i, v in enumerate(self.start))
        rest = ", ".join([f"l{i}" for i in range(m)] + ([f"g{i}" for i in range(m)] if form else []))
        return f"model M\n  Real {states}, {rest};\n  {declared}\nequation\n  " + "\n  ".join(equations) + "\nend M;\n"


def run_tool(hydae, file, stop, solver, tolerance):
    command = [hydae, "simulate", file, "--stop", repr(stop), "--solver", solver, "--tolerance", str(tolerance),
               "--points", str(POINTS), "--output", file + ".csv", "--quiet"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return f"no end within {TIME_LIMIT} s"
    if done.returncode != 0:
        return done.stderr.strip() or f"exit status {done.returncode}"
    with open(file + ".csv") as f:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]


def complaint(model, rows, condition, tolerance, found):
    for t, values in rows:
        if any(abs(t - e) < 0.01 * model.stop for e in model.events + model.ticks if e > 0):
            continue
        here = [r for r in found if abs(r["time"] - t * model.unit) < 1e-9 * model.stop * model.unit]
        if not here:
            return f"no row at {t}"
        for i, value in enumerate(values):
            got = here[-1][f"x{i}"] / model.size
            if not abs(got - value) <= (ALLOWED * tolerance + 1e-5) * condition * (1 + abs(value)):
                return f"t = {t * model.unit:.6g}: x{i} = {got:.9g}, must be {value:.9g} (both by {model.size})"
    return None


def reference(seed, k):
    """Model, rows, condition; None where the answer is not well defined."""
    def made(shift):
        rng = random.Random(f"{seed}/{k}")
        model = (Switches, Balls)[rng.randrange(2)](rng)
        model.x = [v + shift for v in model.x]
        model.p = model.source.changes(model.stop)[0][1]
        model.settle(0.0)
        return model, model.integrate()
    try:
        model, rows = made(0.0)
        moved, others = made(1e-6)
    except NotDefined:
        return None
    if len(moved.events) != len(model.events):
        return None
    condition = max([1.0] + [abs(u - v) / 1e-6 for a, b in zip(rows, others) for u, v in zip(a[1], b[1])])
    return (model, rows, condition) if condition < 100 else None


def main():
    hydae = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    judged = failed = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "m.mo")
        for k in range(count):
            made = reference(seed, k)
            if made is None:
                continue
            model, rows, condition = made
            judged += 1
            for form in range(3 if isinstance(model, Switches) else 2):
                solver, tolerance = RUNS[(k + 3 * form) % len(RUNS)]
                text = model.text(form)
                with open(file, "w") as f:
                    f.write(text)
                found = run_tool(hydae, file, model.stop * model.unit, solver, tolerance)
                wrong = found if isinstance(found, str) else complaint(model, rows, condition, tolerance, found)
                runs += 1
                if wrong:
                    failed += 1
                    print(f"seed {seed}/{k}, form {form}, {solver} at {tolerance}, condition {condition:.3g}, "
                          f"events {[round(e * model.unit, 12) for e in model.events]}:\n{text}{wrong}\n", flush=True)
    print(f"{count} models with seed {seed}: {judged} judged, {runs} runs, {failed} wrong")
    sys.exit(1 if failed or not judged else 0)


if __name__ == "__main__":
    main()
