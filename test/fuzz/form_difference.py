"""Random hybrid models, each written in several ways that mean the same.

    form_difference.py HYDAE [COUNT] [SEED] [FORMS]

A model is a chain of states with linear damping and coupling, driven by sines, and devices that act on
them: relays and dry friction (which may stay on their surface), saturations, diodes, relays with
hysteresis, resets, bouncing balls, sources that switch at a time. Each device is written in a form that
is drawn anew for each text: >, not <=, a Boolean, an if-equation, min and max, sign, a when-clause, a
curve parameter, contact(). Equations are shuffled and guards named or not.

The oracle is an integrator of its own (Runge-Kutta 5(4), Dormand and Prince 1980, with bisection, and
Filippov's equation on surfaces). Compared are all states on a grid of times, and the times of its events
with those that the tool reports where the devices are written with events. A model is judged only where its answer is well
defined: the oracle runs again from a start that is moved by 1e-6.
"""
import csv
import json
import os
import random
import sys
import tempfile

from form_models import Model, Relay, Source
from tool_run import run_silently

ALLOWED = 300      # tolerances, times the condition of the problem
WORST_CONDITION = 300
SHIFT = 1e-6       # of the start, to measure the condition
LONGEST_STEP = 1 / 400  # of the run, of the reference
SHORTEST_GAP = 3e-3  # between events of the reference that are told apart
POINTS = 21


# --- the oracle -------------------------------------------------------------------------------------

NODES = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1)
ROWS = ((), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))


class NotDefined(Exception):
    """Whoever solves this model may come to another end."""


def solve_small(A, b):
    n = len(b)
    rows = [list(A[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if abs(rows[p][k]) < 1e-3:
            raise NotDefined("surfaces that are nearly parallel to the motion")
        rows[k], rows[p] = rows[p], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [u - factor * v for u, v in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


class Oracle:
    def __init__(self, model):
        self.model = model
        self.events = []

    def sliding(self):
        return [d for d in self.model.devices if isinstance(d, Relay) and d.slides]

    def with_outputs(self, t, x, given):
        f = self.model.smooth(t, x)
        for d in self.model.devices:
            if d.target is not None:
                f[d.target] += given[d.name] if d.name in given else d.output(t, x)
        return f

    def shares(self, t, x):
        """Outputs of the relays that stay on their surfaces: no guard moves."""
        relays = self.sliding()
        if not relays:
            return {}
        zero = {d.name: 0.0 for d in relays}
        base = self.with_outputs(t, x, zero)
        rates = [d.guard.rate(t, base) for d in relays]
        columns = []
        for d in relays:
            f = self.with_outputs(t, x, dict(zero, **{d.name: 1.0}))
            columns.append([e.guard.rate(t, f) - r for e, r in zip(relays, rates)])
        A = [[columns[k][i] for k in range(len(relays))] for i in range(len(relays))]
        values = solve_small(A, [-r for r in rates])
        return {d.name: value for d, value in zip(relays, values)}

    def derivative(self, t, x):
        return self.with_outputs(t, x, self.shares(t, x))

    def step(self, t, x, h):
        stages, y = [], x
        for c, row in zip(NODES, ROWS):
            y = [v + h * sum(a * k[i] for a, k in zip(row, stages)) for i, v in enumerate(x)]
            stages.append(self.derivative(t + c * h, y))
        return y

    def exits(self):
        list_ = []
        for d in self.model.devices:
            if isinstance(d, Relay) and d.slides:
                low, high = sorted((d.low, d.high))
                list_.append((d, 0, lambda t, x, d=d, high=high: self.shares(t, x)[d.name] - high))
                list_.append((d, 1, lambda t, x, d=d, low=low: low - self.shares(t, x)[d.name]))
            else:
                list_ += [(d, k, e) for k, e in enumerate(d.exits())]
        return list_

    def fire(self, d, exit, t, x):
        if isinstance(d, Relay) and d.slides:
            d.slides = False
            d.is_on = (exit == 0) == (d.high > d.low)
            return
        d.fire(exit, t, x)

    def settle(self, t, x):
        """Relays at their surfaces: on one side, or held."""
        for _ in range(20):
            changed = False
            shares = self.shares(t, x)
            for d in self.sliding():
                low, high = sorted((d.low, d.high))
                value = shares[d.name]
                if min(abs(value - low), abs(value - high)) < 1e-4 * (high - low):
                    raise NotDefined("a share at its limit")
                if not low < value < high:
                    d.slides, d.is_on = False, (value > high) == (d.high > d.low)
                    changed = True
                    break
            if changed:
                continue
            for d in self.model.devices:
                if not isinstance(d, Relay) or d.slides or abs(d.guard.value(t, x)) > 1e-9:
                    continue
                rate = d.guard.rate(t, self.derivative(t, x))
                if abs(rate) < 1e-4:
                    raise NotDefined("a guard that is touched")
                if (rate > 0) == d.is_on:
                    continue
                # It comes back from where it goes.
                was_on = d.is_on
                d.is_on = not was_on
                other = d.guard.rate(t, self.derivative(t, x))
                if abs(other) < 1e-4:
                    raise NotDefined("a guard that is touched")
                if (other > 0) != d.is_on:
                    d.slides = True
                changed = True
                break
            if not changed:
                return
        raise NotDefined("relays that do not agree")

    def run(self, start):
        t, x = 0.0, list(start)
        for d in self.model.devices:
            d.begin(t, x)
        self.settle(t, x)
        starts = [self.start_of(d) for d in self.model.devices]
        grid = [self.model.stop * k / (POINTS - 1) for k in range(1, POINTS)]
        rows = []
        longest = self.model.stop * LONGEST_STEP
        for target in grid:
            while target - t > 1e-12:
                h = min(longest, target - t)
                t, x = self.advance(t, x, h)
            t = target
            rows.append(list(x))
        return rows, starts

    @staticmethod
    def start_of(d):
        for name in ("is_on", "zone", "is_above"):
            if hasattr(d, name):
                return getattr(d, name)
        return None

    def advance(self, t, x, h):
        exits = self.exits()
        for d, _, e in exits:
            if e(t, x) > 1e-7:
                raise NotDefined("an exit that is open already")
        y = self.step(t, x, h)
        crossed = [c for c in exits if c[2](t + h, y) > 0]
        if not crossed:
            middle = self.step(t, x, h / 2)
            if any(e(t + h / 2, middle) > 0 for _, _, e in exits):
                return self.advance(t, x, h / 2)
            # Guards that come close and turn back are decided by errors.
            for d, _, e in exits:
                before, here, after = e(t, x), e(t + h / 2, middle), e(t + h, y)
                if here > before and here > after and here > -1e-4:
                    raise NotDefined("a guard that is touched")
            return t + h, y
        times = [self.locate(t, x, h, c[2]) for c in crossed]
        first = min(times)
        if any(first < other < first + SHORTEST_GAP for other in times if other != first):
            raise NotDefined("events close together")
        y = self.step(t, x, first)
        now = t + first
        if self.events and now - self.events[-1] < SHORTEST_GAP:
            raise NotDefined("events close together")
        for c, time in zip(crossed, times):
            if time == first:
                if not isinstance(c[0], Source) and abs(c[2](now, y) - c[2](now - min(1e-6, first), self.step(t, x, max(0.0, first - 1e-6)))) < 1e-9:
                    raise NotDefined("a guard that is hardly crossed")
                self.fire(c[0], c[1], now, y)
        self.settle(now, y)
        self.events.append(now)
        return now, y

    def locate(self, t, x, h, exit):
        low, high = 0.0, h
        for _ in range(50):
            middle = (low + high) / 2
            if exit(t + middle, self.step(t, x, middle)) > 0:
                high = middle
            else:
                low = middle
        return high


# --- comparison -------------------------------------------------------------------------------------

def run_tool(hydae, file, solver, tolerance):
    """Rows by name at the grid, times of events; a text if the run failed."""
    result, stats = file + ".csv", file + ".json"
    command = [hydae, "simulate", file, "--solver", solver, "--tolerance", str(tolerance), "--points", str(POINTS),
               "--output", result, "--stats", stats, "--quiet"]
    if fault := run_silently(command):
        return fault
    with open(result) as f:
        rows = [dict(zip(row, row.values())) for row in csv.DictReader(f)]
    with open(stats) as f:
        events = [e["t"] for e in json.load(f).get("events", [])]
    return [{k: float(v) for k, v in row.items()} for row in rows], events


def compare(model, exact, condition, tolerance, found, has_events):
    rows, events = found
    complaints = []
    allowed = ALLOWED * tolerance * condition
    for k, values in enumerate(exact.rows, start=1):
        t = model.stop * k / (POINTS - 1)
        # Errors of an event's time are a jump just behind it: rows there are not compared.
        if any(abs(t - e) < allowed for e in exact.events):
            continue
        row = min(rows, key=lambda r: abs(r["time"] - t))
        for i, value in enumerate(values):
            if not abs(row[f"x{i}"] - value) <= allowed * (1 + abs(value)):
                complaints.append(f"t = {t:.4g}: x{i} = {row[f'x{i}']:.9g}, must be {value:.9g}")
        if complaints:
            break
    if has_events:
        missed = [e for e in exact.events if not any(abs(e - f) <= allowed for f in events)]
        if missed:
            complaints.append(f"no event at {missed[0]:.9g}; events: {events}")
    return complaints


class Exact:
    pass


def reference_of(model):
    exact = Exact()
    try:
        oracle = Oracle(model)
        exact.rows, exact.starts = oracle.run(model.start)
        exact.events = oracle.events
        moved = Oracle(model)
        others, _ = moved.run([v + SHIFT for v in model.start])
        if len(moved.events) != len(oracle.events):
            return None, 0
        condition = 1.0
        for a, b in zip(exact.rows, others):
            condition = max([condition] + [abs(u - v) / SHIFT for u, v in zip(a, b)])
        for a, b in zip(oracle.events, moved.events):
            condition = max(condition, abs(a - b) / SHIFT)
    except NotDefined:
        return None, 0
    return (exact, condition) if condition <= WORST_CONDITION else (None, 0)


RUNS = [("auto", 1e-6), ("taylor", 1e-6), ("ida", 1e-6), ("auto", 1e-4), ("taylor", 1e-9), ("ida", 1e-9), ("ida", 1e-4)]


def judge(hydae, seed, k, num_forms, folder):
    """Complaints by text; None if the answer is not well defined."""
    model = Model(random.Random(f"{seed}/{k}"))
    exact, condition = reference_of(model)
    if exact is None:
        return None
    complaints = []
    for form in range(num_forms):
        rng = random.Random(f"{seed}/{k}/{form}")
        text, has_events = model.text(rng, form == 0, exact.starts)
        file = os.path.join(folder, "m.mo")
        with open(file, "w") as f:
            f.write(text)
        solver, tolerance = RUNS[(k + form) % len(RUNS)]
        found = run_tool(hydae, file, solver, tolerance)
        wrong = [found] if isinstance(found, str) else compare(model, exact, condition, tolerance, found, has_events)
        if wrong:
            complaints.append(f"seed {seed}/{k}, form {form}, {solver} at {tolerance}, condition {condition:.3g}:\n"
                              + text + "\n".join(wrong) + "\n")
    return complaints


def main():
    hydae = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    num_forms = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    judged = failed = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            complaints = judge(hydae, seed, k, num_forms, folder)
            if complaints is None:
                continue
            judged += 1
            runs += num_forms
            failed += len(complaints)
            for text in complaints:
                print(text, flush=True)
    print(f"{count} models with seed {seed}: {judged} judged, {runs} runs, {failed} wrong")
    sys.exit(1 if failed or not judged else 0)


if __name__ == "__main__":
    main()
